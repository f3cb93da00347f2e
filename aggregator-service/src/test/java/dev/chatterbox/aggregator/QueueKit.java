package dev.chatterbox.aggregator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.rows.Row;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What holds for the exchange {@code queue} over every row that has it: with a real broker and two responders. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class QueueKit {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** So many that a run is not over before something happens to it. */
    private static final int MANY = 1_000_000;

    private final Row row;
    private final boolean acknowledges;
    private final boolean survivesItsBroker;
    private final Set<Differs> differs;
    private Topology topology;
    private Http aggregator;

    /**
     * @param acknowledges whether the broker says of each message that it has it
     * @param survivesItsBroker whether an acknowledged message is still there when its broker was killed
     */
    QueueKit(String row, boolean acknowledges, boolean survivesItsBroker, Differs... differs) {
        this.row = TestRows.find(row);
        this.acknowledges = acknowledges;
        this.survivesItsBroker = survivesItsBroker;
        this.differs = Set.of(differs);
    }

    /** In what a row may differ from others. */
    enum Differs {
        /** The responder does not say how long messages took to it. */
        TIMES_NO_MESSAGES,
        /** What a responder that is killed leaves behind goes to another one only when the run is over. */
        TAKES_OVER_LATE,
        /** The broker keeps messages until somebody consumes them, although it does not say that it has them. */
        KEEPS_WHAT_NOBODY_ACKNOWLEDGES,
        /** A message takes a millisecond or so: more publishers than a hundred would wait beyond their deadline. */
        IS_SLOW
    }

    @BeforeAll
    void start() {
        assumeTrue(SharedBrokers.canHave(row));
        topology = new Topology(List.of(row));
        aggregator = topology.aggregator();
        awaitConsumers();
    }

    @AfterAll
    void stop() {
        if (topology != null) {
            topology.close();
        }
    }

    private void awaitConsumers() {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> ask("10").statusCode() == 200);
    }

    private HttpResponse<String> ask(String run) {
        return aggregator.get("/%s/square/queue/%s".formatted(row.name(), run));
    }

    private static JsonNode json(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }

    /** 1² + 2² + … + n², for each group. */
    private static String sum(long n, int groups) {
        return Long.toString(groups * (n * (n + 1) * (2 * n + 1) / 6));
    }

    private void isComplete(JsonNode result, int n) {
        isComplete(result, n, 1);
    }

    private void isComplete(JsonNode result, int n, int groups) {
        assertThat(result.path("ended").asString()).as(result.toString()).isEqualTo("complete");
        assertThat(result.path("published").asInt()).isEqualTo(n);
        assertThat(result.path("acknowledged").asInt()).isEqualTo(acknowledges ? n : 0);
        assertThat(result.path("unknown").asInt()).isEqualTo(acknowledges ? 0 : n);
        for (String none : List.of("refused", "missing", "lost", "doubled")) {
            assertThat(result.path(none).asInt(-1)).as(none).isZero();
        }
        assertThat(result.path("consumed").asInt()).isEqualTo(n * groups);
        assertThat(result.path("sum").asString()).isEqualTo(sum(n, groups));
    }

    /** The figures fit each other, whatever has happened. */
    private static void addsUp(JsonNode result) {
        assertThat(result.path("acknowledged").asInt()
                        + result.path("refused").asInt()
                        + result.path("unknown").asInt())
                .as(result.toString())
                .isEqualTo(result.path("published").asInt());
        if (!result.path("consumed").isNull()) {
            assertThat(result.path("received").asLong()
                            - result.path("consumed").asLong())
                    .isEqualTo(result.path("doubled").asLong());
            assertThat(result.path("lost").asInt())
                    .isLessThanOrEqualTo(result.path("missing").asInt());
        }
    }

    private long answered() {
        return topology.responders(row).stream()
                .mapToLong(RealResponder::answered)
                .sum();
    }

    @Test
    void consumesEachMessageOnceAndSaysSo() {
        long before = answered();
        double counted = aggregator.metric("chatterbox_inputs_total", row.name(), "ok");

        int n = 20_000;
        JsonNode result = json(ask("%d?publishers=%d".formatted(n, publishers(250))));

        isComplete(result, n);
        assertThat(answered() - before).as("the responders counted each").isEqualTo(n);
        assertThat(aggregator.metric("chatterbox_inputs_total", row.name(), "ok") - counted)
                .isEqualTo(n);
        assertThat(result.path("acknowledge").isNull()).isEqualTo(!acknowledges);
        JsonNode oneWay = result.path("oneWay");
        assertThat(oneWay.isNull()).isEqualTo(differs.contains(Differs.TIMES_NO_MESSAGES));
        if (!oneWay.isNull()) {
            assertThat(oneWay.path("p50").asDouble()).isPositive();
            assertThat(oneWay.path("max").asDouble())
                    .isGreaterThanOrEqualTo(oneWay.path("p99").asDouble());
        }
        assertThat(result.path("consumeMillis").asDouble()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, consumers=1",
        "1000, 1, payload=0",
        "5000, 1000, consumers=4",
        "5000, 250, consumers=16&payload=1024",
        "100, 250, payload=131072"
    })
    void doesSoForEveryShapeOfRun(int n, int publishers, String shape) {
        isComplete(json(ask("%d?publishers=%d&%s".formatted(n, publishers(publishers), shape))), n);
    }

    private int publishers(int wanted) {
        return differs.contains(Differs.IS_SLOW) ? Math.min(wanted, 100) : wanted;
    }

    /** The run after it has one topic and one group again: what was made for several is gone. */
    @ParameterizedTest
    @CsvSource({"2000, topics=50, 1", "500, groups=12, 12", "400, topics=20&groups=5&consumers=2, 5"})
    void spreadsMessagesOverTopicsAndGivesThemToEachGroup(int n, String spread, int groups) {
        JsonNode result = json(ask("%d?publishers=100&%s".formatted(n, spread)));

        isComplete(result, n, groups);
        assertThat(result.path("received").asInt()).isEqualTo(n * groups);
        assertThat(result.path("makeMillis").asDouble(-1)).isNotNegative();
        isComplete(json(ask("100")), 100);
    }

    /** Kafka promises it for a partition, and a topic out of sixteen has only one. */
    @Test
    void keepsTheOrderOfOnePublisher() {
        JsonNode result = json(ask("1000?publishers=1&topics=16"));

        isComplete(result, 1_000);
        assertThat(result.path("outOfOrder").asInt(-1)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "0, n must be",
        "1000001, n must be",
        "10?publishers=0, publishers must be",
        "10?publishers=1001, publishers must be",
        "10?consumers=17, consumers must be",
        "10?payload=131073, payload must be",
        "10?rate=1000001, rate must be",
        "10?held=301, held must be",
        "10?topics=1001, topics must be",
        "10?groups=51, groups must be",
        "10?topics=500&groups=3, 500 topics for each of 3 groups",
        "10?groups=50&consumers=3, 3 consumers for each of 50 groups",
        "500000?groups=3, 500000 messages for each of 3 groups",
        "10?window=5, window can only be 'none'",
        "10?size=5, no parameter 'size'",
        "1000000?payload=4096, 2147483648 bytes"
    })
    void refusesWhatNoRunCanBe(String run, String reason) {
        HttpResponse<String> answer = ask(run);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(reason);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void letsMessagesPileUpWhileConsumersAreHeld(int groups) {
        JsonNode result = json(ask("4000?rate=1000&held=2&groups=" + groups));

        JsonNode held = result.path("backlog").path("phases").path(0);
        assertThat(held.path("name").asString()).as(result.toString()).isEqualTo("held");
        assertThat(held.path("seconds").asDouble()).isBetween(1.9, 4.0);
        assertThat(held.path("published").asInt()).isBetween(1_000, 3_500);
        assertThat(held.path("received").asInt()).isLessThan(500);
        assertThat(result.path("backlog").path("samples").size()).isGreaterThan(2);
        addsUp(result);
        if (acknowledges) {
            assertThat(result.path("ended").asString()).as(result.toString()).isEqualTo("complete");
            assertThat(result.path("missing").asInt(-1)).isZero();
            assertThat(result.path("sum").asString()).isEqualTo(sum(4_000, groups));
        } else if (differs.contains(Differs.KEEPS_WHAT_NOBODY_ACKNOWLEDGES)) {
            assertThat(result.path("consumed").asInt()).isEqualTo(4_000 * groups);
        } else {
            assertThat(result.path("consumed").asInt()).isBetween(500, 3_900 * groups);
        }
    }

    /** Also what a client that goes away leaves behind does not come into the next run. */
    @Test
    void hasOneRunAtATimeAndEndsTheRunOfAClientThatGoesAway() throws IOException {
        try (Socket client = aggregator.open("/%s/square/queue/%d?payload=64".formatted(row.name(), MANY))) {
            await().atMost(PATIENCE).until(() -> ask("10").statusCode() == 409);
            HttpResponse<String> second = ask("10");
            assertThat(second.statusCode()).isEqualTo(409);
            assertThat(second.body()).contains("can begin when it has ended", ".queue");
        }
        await().atMost(PATIENCE).until(() -> ask("10").statusCode() == 200);

        isComplete(json(ask("1000")), 1_000);
    }

    @Test
    void isUnavailableWhileNobodyConsumes() {
        topology.responders(row).forEach(responder -> responder.process().freeze());
        try {
            HttpResponse<String> answer = ask("10");

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("no responder consumes the queue");
        } finally {
            topology.responders(row).forEach(responder -> responder.process().resume());
        }
        awaitConsumers();
    }

    /**
     * A run of which something happens while it goes on.
     *
     * @param consumed how many messages those who take part in the event have consumed
     */
    private JsonNode during(LongSupplier consumed, Runnable event) {
        int n = differs.contains(Differs.IS_SLOW) ? 20_000 : acknowledges ? 150_000 : 400_000;
        CompletableFuture<HttpResponse<String>> answer =
                aggregator.getAsync("/%s/square/queue/%d?payload=64".formatted(row.name(), n));
        long before = consumed.getAsLong();
        await().atMost(PATIENCE).until(() -> consumed.getAsLong() - before > 2_000);
        event.run();
        JsonNode result = json(answer.orTimeout(2, TimeUnit.MINUTES).join());
        addsUp(result);
        return result;
    }

    @Test
    void aResponderThatStopsSaysWhatItHasConsumed() {
        RealResponder third = third();
        JsonNode result = during(third::answered, third::close);

        assertThat(result.path("lost").asInt(-1)).as(result.toString()).isZero();
        if (acknowledges) {
            assertThat(result.path("missing").asInt()).isZero();
        }
    }

    @Test
    void whatAKilledResponderHasConsumedIsNotKnown() {
        RealResponder third = third();
        JsonNode result = during(third::answered, () -> third.process().handle().destroyForcibly());

        assertThat(result.path("lost").isNull()).as(result.toString()).isTrue();
        assertThat(result.path("doubled").isNull()).isTrue();
        assertThat(result.path("why").asString()).contains("1 of 3 responders");
        if (acknowledges && !differs.contains(Differs.TAKES_OVER_LATE)) {
            assertThat(result.path("received").asLong())
                    .isGreaterThanOrEqualTo(result.path("acknowledged").asLong() - 10_000);
        }
    }

    private RealResponder third() {
        return RealResponder.start(row, broker().environment());
    }

    private RunningBroker broker() {
        return topology.brokers().values().iterator().next();
    }

    @Tag("long")
    @Test
    void aBrokerThatIsKilledLosesOnlyWhatItsRowDoesNotStore() {
        JsonNode result = during(this::answered, () -> {
            broker().kill();
            broker().restart();
        });

        if (survivesItsBroker) {
            assertThat(result.path("lost").asInt(-1)).as(result.toString()).isZero();
        }
        awaitConsumers();
        await().atMost(PATIENCE).untilAsserted(() -> isComplete(json(ask("1000")), 1_000));
    }
}
