package dev.chatterbox.aggregator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything together, over every transport: two aggregators, two responders of each row by default, and the real
 * brokers.
 */
class AggregatorIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static Topology topology;
    private static Http first;
    private static Http second;

    @BeforeAll
    static void start() {
        topology = new Topology(rows());
        first = topology.aggregator("CHATTERBOX_INSTANCE=0", "chatterbox.call-timeout=30s");
        second = topology.aggregator("CHATTERBOX_INSTANCE=1", "chatterbox.call-timeout=30s");
        transports()
                .forEach(transport -> List.of(first, second)
                        .forEach(aggregator -> awaitRightAnswer(aggregator, transport, PATIENCE)));
    }

    @AfterAll
    static void stop() {
        topology.close();
    }

    /** All whose broker this machine can have. */
    private static List<Row> rows() {
        return TestRows.all().choose(List.of(Rows.ALL)).stream()
                .filter(SharedBrokers::canHave)
                .toList();
    }

    static List<String> transports() {
        return TestRows.all().byDefault().stream().map(Row::name).toList();
    }

    static List<String> rowsBeyondTheDefault() {
        return rows().stream()
                .map(Row::name)
                .filter(name -> !transports().contains(name))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rowsBeyondTheDefault")
    void answersOneRequestOverEveryOtherRow(String row) {
        awaitRightAnswer(first, row, PATIENCE);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void answersTheSameBytesOverEveryTransport(String transport) {
        for (int n : new int[] {1, 5, 1000, 10_000}) {
            assertThat(wrongIn(first.get("/" + transport + "/square/unary/" + n), n))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void streamsEachSquareOnce(String transport) {
        String squares = Squares.array(1000);
        HttpResponse<String> answer =
                first.get("/" + transport + "/square/unary/1000", "Accept", "application/x-ndjson");
        assertThat(answer.body().lines()).hasSize(1000).doesNotHaveDuplicates().allMatch(squares::contains);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void twoAggregatorsShareTwoRespondersAndMixNothingUp(String transport) {
        List<Long> before = topology.responders(TestRows.find(transport)).stream()
                .map(RealResponder::answered)
                .toList();
        List<CompletableFuture<HttpResponse<String>>> answers = Stream.of(first, second)
                .flatMap(
                        aggregator -> Stream.generate(() -> aggregator.getAsync("/" + transport + "/square/unary/1000"))
                                .limit(25))
                .toList();
        answers.forEach(answer -> assertThat(answer)
                .succeedsWithin(PATIENCE)
                .satisfies(response -> assertThat(wrongIn(response, 1000)).isEmpty()));

        long answered = 0;
        for (int i = 0; i < before.size(); i++) {
            long more = topology.responders(TestRows.find(transport)).get(i).answered() - before.get(i);
            assertThat(more).as("answers of responder " + i).isPositive();
            answered += more;
        }
        assertThat(answered).isEqualTo(50_000);
        for (Http aggregator : List.of(first, second)) {
            assertThat(aggregator.metric("chatterbox_replies_unmatched_total", tag(transport)))
                    .isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void aClientThatGoesAwayLeavesNothingInFlight(String transport) throws Exception {
        double before = first.metric("chatterbox_requests_seconds_count", tag(transport), "cancelled");
        List<CompletableFuture<HttpResponse<String>>> others = Stream.generate(
                        () -> first.getAsync("/" + transport + "/square/unary/1000"))
                .limit(20)
                .toList();
        for (int i = 0; i < 10; i++) {
            try (Socket socket = first.open("/" + transport + "/square/unary/10000")) {
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> first.metric("chatterbox_calls_in_flight", tag(transport)) > 0);
            }
        }
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(first.metric("chatterbox_calls_in_flight", tag(transport)))
                    .isZero();
            assertThat(first.metric("chatterbox_requests_seconds_count", tag(transport), "cancelled"))
                    .isGreaterThan(before);
        });
        others.forEach(answer -> assertThat(answer)
                .succeedsWithin(PATIENCE)
                .satisfies(response -> assertThat(wrongIn(response, 1000)).isEmpty()));
    }

    @Test
    void aTransportWithoutItsBrokerIsUnavailableAndComesBackWithIt() {
        topology.brokers().forEach((name, broker) -> {
            broker.kill();
            List<String> behind = transports().stream()
                    .filter(transport -> TestRows.find(transport)
                            .broker()
                            .map(Row.Broker::name)
                            .filter(name::equals)
                            .isPresent())
                    .toList();
            assertThat(behind).isNotEmpty();
            for (String transport : behind) {
                await(transport).atMost(PATIENCE).untilAsserted(() -> {
                    HttpResponse<String> answer = first.get("/" + transport + "/square/unary/5");
                    assertThat(answer.statusCode()).isEqualTo(503);
                    assertThat(answer.headers().firstValue("retry-after")).isPresent();
                    assertThat(first.get("/transports").body())
                            .containsPattern("\"name\":\"" + transport + "\",[^{]*\"state\":\"down\",\"reason\":");
                });
            }
            assertThat(first.get("/actuator/health").statusCode()).isEqualTo(200);
            // The others go on.
            transports().stream()
                    .filter(other -> !behind.contains(other))
                    .forEach(other -> assertThat(
                                    first.get("/" + other + "/square/unary/5").statusCode())
                            .as(other)
                            .isEqualTo(200));
            broker.restart();
            behind.forEach(transport -> awaitRightAnswer(first, transport, Duration.ofSeconds(10)));
        });
    }

    private static String tag(String transport) {
        return "transport=\"" + transport + "\"";
    }

    /** What is wrong with it, if anything: an assertion on the bodies themselves would print thousands of squares. */
    private static String wrongIn(HttpResponse<String> answer, int n) {
        String body = answer.body();
        return body.equals(Squares.array(n))
                ? ""
                : answer.statusCode() + " " + body.substring(0, Math.min(body.length(), 300));
    }

    private static void awaitRightAnswer(Http aggregator, String transport, Duration patience) {
        await(transport)
                .atMost(patience)
                .untilAsserted(() -> assertThat(aggregator
                                .get("/" + transport + "/square/unary/5")
                                .body())
                        .isEqualTo(Squares.array(5)));
    }
}
