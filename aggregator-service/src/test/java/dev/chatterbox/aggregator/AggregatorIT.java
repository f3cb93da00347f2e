package dev.chatterbox.aggregator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.client.RealResponder;
import dev.chatterbox.client.TestVariants;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.variants.Variant;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whole system over every default variant: two aggregators, two responders of each kind, and the real brokers. The
 * other variants have their contract kits, and cli's SystemIT asks them end to end.
 */
@Tag("long")
class AggregatorIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static Topology topology;
    private static Http first;
    private static Http second;

    @BeforeAll
    static void start() {
        topology = new Topology(TestVariants.all().byDefault());
        first = topology.aggregator("CHATTERBOX_INSTANCE=0", "chatterbox.call-timeout=30s", payloadsInFlight());
        second = topology.aggregator("CHATTERBOX_INSTANCE=1", "chatterbox.call-timeout=30s", payloadsInFlight());
        transports()
                .forEach(transport -> List.of(first, second)
                        .forEach(aggregator -> awaitRightAnswer(aggregator, transport, PATIENCE)));
    }

    /** The same bound as in an aggregator of the stack, whose heap is 512 MiB; this JVM's heap may have any size. */
    private static String payloadsInFlight() {
        double share = 32.0 * (1 << 20) / Runtime.getRuntime().maxMemory();
        return "chatterbox.payload-heap-share=" + Math.min(0.5, Math.max(0.001, share));
    }

    @AfterAll
    static void stop() {
        topology.close();
    }

    static List<String> transports() {
        return TestVariants.all().byDefault().stream().map(Variant::name).toList();
    }

    @Test
    void tellsWhereEachResponderIsReachedThroughItsBroker() {
        JsonNode variants =
                JsonMapper.shared().readTree(first.get("/transports").body());
        Map<String, Map<String, String>> addresses = new TreeMap<>();
        variants.forEach(variant -> variant.path("address")
                .properties()
                .forEach(part -> addresses
                        .computeIfAbsent(variant.path("name").asString(), name -> new TreeMap<>())
                        .put(part.getKey(), part.getValue().asString())));
        assertThat(addresses)
                .isEqualTo(TestVariants.all().byDefault().stream()
                        .filter(variant -> variant.broker().isPresent())
                        .collect(Collectors.toMap(Variant::name, Variant::address)));
    }

    @ParameterizedTest
    @MethodSource("transports")
    void answersTheSameBytesOverEveryTransport(String transport) {
        for (int n : new int[] {1, 5, 1000, 10_000}) {
            assertThat(wrongIn(first.get("/" + transport + "/square/unary/" + n), n))
                    .isEmpty();
        }
    }

    static List<String> transportsWithBatches() {
        return TestVariants.all().byDefault().stream()
                .filter(variant -> variant.modes().contains(CallMode.BATCH))
                .map(Variant::name)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("transportsWithBatches")
    void answersTheSameBytesByBatchesOfEverySize(String transport) {
        for (int n : new int[] {1, 7, 1000, 10_000}) {
            for (int size : new int[] {1, 3, 100, 999, 10_000}) {
                String path = "/%s/square/batch/%d?size=%d".formatted(transport, n, size);
                assertThat(wrongIn(first.get(path), n)).as(path).isEmpty();
            }
        }
    }

    @Test
    void answersTheSameBytesByStreams() {
        List<Variant> variants = TestVariants.all().byDefault().stream()
                .filter(variant -> variant.modes().contains(CallMode.STREAM))
                .toList();
        assertThat(variants).isNotEmpty();
        for (Variant variant : variants) {
            for (int n : new int[] {1, 2, 1000, 10_000}) {
                String path = "/%s/square/stream/%d".formatted(variant.name(), n);
                assertThat(wrongIn(first.get(path), n)).as(path).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transportsWithBatches")
    void answersTheSameBytesWithAPayload(String transport) {
        for (String query : new String[] {
            "unary/1000?payload=1",
            "unary/200?payload=131072",
            "unary/1?payload=65536",
            "batch/1000?size=7&payload=1024",
            "batch/20?size=7&payload=131072"
        }) {
            String path = "/%s/square/%s".formatted(transport, query);
            int n = Integer.parseInt(query.replaceAll(".*/|\\?.*", ""));
            assertThat(wrongIn(first.get(path), n)).as(path).isEmpty();
        }
        HttpResponse<String> refused = first.get("/" + transport + "/square/batch/1000?size=1000&payload=131072");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("1000 inputs", "131072", "at the most (");
    }

    /** Several times more inputs than may be in flight. */
    @ParameterizedTest
    @MethodSource("transportsWithBatches")
    void largePayloadsOfManyRequestsKeepToTheirBounds(String transport) {
        List<CompletableFuture<HttpResponse<String>>> answers = Stream.generate(
                        () -> first.getAsync("/" + transport + "/square/unary/100?payload=131072"))
                .limit(20)
                .toList();
        answers.forEach(answer -> assertThat(answer)
                .succeedsWithin(PATIENCE)
                .satisfies(response -> assertThat(wrongIn(response, 100)).isEmpty()));
    }

    /** The metrics count numbers, however many messages carry them. */
    @ParameterizedTest
    @MethodSource("transportsWithBatches")
    void countsMessagesAndInputs(String transport) {
        String ok = "outcome=\"ok\"";
        double calls = first.metric("chatterbox_calls_seconds_count", tag(transport), ok);
        double inputs = first.metric("chatterbox_inputs_total", tag(transport), ok);
        long answered = answeredAtRest(transport);

        assertThat(wrongIn(first.get("/" + transport + "/square/batch/1000?size=300"), 1000))
                .isEmpty();

        assertThat(first.metric("chatterbox_calls_seconds_count", tag(transport), ok))
                .isEqualTo(calls + 4);
        assertThat(first.metric("chatterbox_inputs_total", tag(transport), ok)).isEqualTo(inputs + 1000);
        assertThat(answered(transport)).isEqualTo(answered + 1000);
    }

    /** Waits until the responders are done with calls that an earlier test gave up. */
    private static long answeredAtRest(String transport) {
        AtomicLong last = new AtomicLong(-1);
        return await().pollInterval(Duration.ofMillis(300))
                .until(() -> answered(transport), now -> last.getAndSet(now) == now);
    }

    private static long answered(String transport) {
        return topology.responders(TestVariants.find(transport)).stream()
                .mapToLong(RealResponder::answered)
                .sum();
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
        List<Long> before = topology.responders(TestVariants.find(transport)).stream()
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
            long more = topology.responders(TestVariants.find(transport)).get(i).answered() - before.get(i);
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
        await("connected")
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(first.get("/actuator/health/connected").statusCode())
                                .isEqualTo(200));
        topology.brokers().forEach((name, broker) -> {
            broker.kill();
            List<String> behind = transports().stream()
                    .filter(transport -> TestVariants.find(transport)
                            .broker()
                            .map(Variant.Broker::name)
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
            assertThat(first.get("/actuator/health/connected").statusCode()).isEqualTo(200);
            // The other transports go on.
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

    /** What is wrong with the answer, if anything; an assertion on the body itself would print thousands of squares. */
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
