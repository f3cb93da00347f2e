package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.brokers.Unavailable;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.stack.ClientPrograms;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of one-way messages, started as a comparison starts them, over real brokers. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueWorkersIT {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int MANY = 100_000;

    private final Repository repository = Repository.of(Map.of(
            "CHATTERBOX_HOME", Path.of("..", "..").toAbsolutePath().normalize().toString()));

    private final Map<String, RunningBroker> brokers = new HashMap<>();

    @TempDir
    Path folder;

    private RunningBroker broker(Variant variant) {
        Variant.Broker named = variant.broker().orElseThrow();
        try {
            Broker broker = Class.forName(named.type())
                    .asSubclass(Broker.class)
                    .getConstructor()
                    .newInstance();
            Unavailable.why(broker::origin).ifPresent(Assumptions::abort);
            return brokers.computeIfAbsent(named.name(), name -> RunningBroker.start(broker, named.nodes()));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @AfterAll
    void stop() {
        brokers.values().forEach(RunningBroker::close);
    }

    private Variant variant(String name) {
        return repository.variants().find(name).orElseThrow();
    }

    private QueueWorkers start(String name) {
        Variant variant = variant(name);
        return new QueueWorkers(
                name,
                new ClientPrograms(repository, variant, broker(variant).environment())
                        .queue()
                        .orElseThrow(),
                folder,
                "",
                List.of());
    }

    private static Slice slice(String variant, String workload, long requests, double seconds) {
        return new Slice("test", variant, Workload.parse(workload), requests, seconds);
    }

    private static QueueFigures counts(QueueWorkers programs, Slice slice) {
        programs.prepare(slice);
        programs.begin(slice);
        return counts(programs, programs.result(slice, PATIENCE));
    }

    private static QueueFigures counts(QueueWorkers programs, SliceResult result) {
        assertThat(result.failures()).isEmpty();
        QueueFigures counts = Objects.requireNonNull(programs.messages());
        assertThat(result.consumed()).isEqualTo(counts.consumed());
        return counts;
    }

    /** Whether each message was consumed once by each group. */
    private static void assertComplete(QueueFigures counts, int published, int groups) {
        assertThat(counts.end()).as(counts.toString()).isEqualTo(QueueFigures.COMPLETE);
        assertThat(counts.published()).isEqualTo(published);
        assertThat(counts.consumed()).isEqualTo((long) published * groups);
        assertThat(counts.missing()).isZero();
        assertThat(counts.doubled()).isZero();
        assertThat(counts.oneWay().p50()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nats", "jetstream", "kafka", "rabbitmq", "artemis"})
    void everyMessageIsCountedOnce(String name) {
        try (QueueWorkers programs = start(name)) {
            QueueFigures first = counts(programs, slice(name, "queue calls=1000 users=1 publishers=100", 100, 0));
            assertComplete(first, MANY, 1);
            assertThat(first.acknowledged()).isEqualTo(name.equals("nats") ? 0 : MANY);
            assertThat(first.unknown()).isEqualTo(name.equals("nats") ? MANY : 0);

            // The same programs, other topics and groups, and as many messages as there is time for.
            QueueFigures timed =
                    counts(programs, slice(name, "queue calls=100 users=1 topics=5 groups=3 consumers=2", 0, 0.5));
            assertComplete(timed, (int) timed.published(), 3);
            assertThat(timed.published()).isGreaterThanOrEqualTo(100).matches(n -> n % 100 == 0);
            assertThat(timed.makeSeconds()).isNotNegative();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jetstream-stock",
                "jetstream-push",
                "jetstream-blocking",
                "jetstream-async",
                "jetstream-async-persist",
                "jetstream-memory",
                "kafka-stock"
            })
    void everyMessageOfAVariantIsCountedOnce(String name) {
        countsEachOnce(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka-bulk",
                "kafka-acks-0",
                "kafka-commit",
                "kafka-python",
                "nats-python",
                "rabbitmq-stock",
                "rabbitmq-quorum",
                "rabbitmq-unconfirmed",
                "rabbitmq-serial",
                "artemis-stock",
                "artemis-blocking"
            })
    void everyMessageOfAnotherVariantIsCountedOnce(String name) {
        countsEachOnce(name);
    }

    @Tag("pulsar")
    @ParameterizedTest
    @ValueSource(strings = {"pulsar", "pulsar-unbatched"})
    void everyMessageOverPulsarIsCountedOnce(String name) {
        countsEachOnce(name);
    }

    private void countsEachOnce(String name) {
        try (QueueWorkers programs = start(name)) {
            assertComplete(counts(programs, slice(name, "queue calls=100 users=1 publishers=16", 20, 0)), 2_000, 1);
            assertComplete(
                    counts(programs, slice(name, "queue calls=100 users=1 publishers=16 topics=3 groups=2", 20, 0)),
                    2_000,
                    2);
        }
    }

    /** As many as may be on their way, if they are small, would fill the memory of the program that publishes them. */
    @Test
    void largeMessagesWithoutAcknowledgementsDoNotFillTheMemory() {
        try (QueueWorkers programs = start("nats-stock")) {
            Slice large = slice("nats-stock", "queue calls=2000 users=1 publishers=1 payload=100000", 4, 0);
            assertComplete(counts(programs, large), 8_000, 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jetstream", "kafka"})
    void heldConsumersTakeWhatWasPublishedMeanwhile(String name) {
        Slice slice = slice(name, "queue calls=100 rate=100", 100, 0);
        try (QueueWorkers programs = start(name)) {
            programs.prepare(slice);
            programs.hold();
            programs.begin(slice);
            await().atMost(PATIENCE).until(() -> programs.progress().published() == 10_000);
            assertThat(programs.progress().consumed()).isZero();

            programs.resume();

            assertComplete(counts(programs, programs.result(slice, PATIENCE)), 10_000, 1);
        }
    }

    /** What was acknowledged, and what was consumed, is known of a program that is killed. */
    @ParameterizedTest
    @ValueSource(strings = {"jetstream", "kafka", "rabbitmq", "artemis"})
    void losesNoMessageWhereAProgramIsKilled(String name) {
        Slice slice = slice(name, "queue calls=1000 users=1 consumers=2", 300, 0);
        try (QueueWorkers programs = start(name)) {
            CompletableFuture<SliceResult> result = begin(programs, slice);
            programs.endConsumer(false);
            programs.restartConsumer();

            QueueFigures counts = counts(programs, result.join());
            assertThat(counts.consumed()).as(counts.toString()).isEqualTo(300_000);
            assertThat(counts.acknowledged()).isEqualTo(300_000);

            result = begin(programs, slice);
            programs.killProducer();

            counts = counts(programs, result.join());
            assertThat(counts.published()).isLessThan(300_000);
            assertThat(counts.acknowledged()).isPositive();
            assertThat(counts.lost()).as(counts.toString()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jetstream", "kafka", "rabbitmq-quorum"})
    void losesNoAcknowledgedMessageWhereTheBrokerIsKilled(String name) {
        Slice slice = slice(name, "queue calls=1000 users=1", 200, 0);
        try (QueueWorkers programs = start(name)) {
            CompletableFuture<SliceResult> result = begin(programs, slice);
            broker(variant(name)).kill();
            broker(variant(name)).restart();

            QueueFigures counts = counts(programs, result.join());
            assertThat(counts.published()).isEqualTo(200_000);
            assertThat(counts.lost()).as(counts.toString()).isZero();
        }
    }

    /** Returns when the slice is under way. */
    private static CompletableFuture<SliceResult> begin(QueueWorkers programs, Slice slice) {
        programs.prepare(slice);
        programs.begin(slice);
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> programs.progress().published() > 20_000);
        return CompletableFuture.supplyAsync(() -> programs.result(slice, PATIENCE));
    }
}
