package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceChannel;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs many slices once, as ./chatterbox compare does; each test looks at another side of this run. */
@Tag("long")
class ComparisonSimulationIT {

    private static final int USERS = 12;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Map<String, SliceResult> RESULTS = new HashMap<>();

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static TinyServer server;

    @SuppressWarnings("NullAway.Init")
    private static TinyServer otherServer;

    @SuppressWarnings("NullAway.Init")
    private static SliceChannel bench;

    @SuppressWarnings("NullAway.Init")
    private static GatlingProcess.Finished generator;

    private static double busyWhileParked;
    private static double turnaroundMillis;

    @BeforeAll
    static void compare() throws Exception {
        server = new TinyServer();
        otherServer = new TinyServer();
        try (SliceChannel.Listener listener = new SliceChannel.Listener();
                GatlingProcess gatling = GatlingProcess.start(
                        ComparisonSimulation.class,
                        folder,
                        Map.of(
                                "chatterbox.baseUrl",
                                server.url(),
                                "chatterbox.users",
                                Integer.toString(USERS),
                                "chatterbox.requestTimeout",
                                "2",
                                "gatling.data.writers.0",
                                "console"),
                        listener.environment())) {
            bench = listener.accept(PATIENCE)
                    .orElseThrow(() -> new AssertionError("the generator does not come:\n" + gatling.output()));
            run(slice("warm-up-right", "right", "calls=1000 users=10", 300, 0));
            run(slice("right", "right", "calls=1000 users=10", 300, 0));
            run(slice("wrong", "wrong", "calls=10 users=3", 12, 0));
            run(slice("some-wrong", "some-wrong", "calls=10 users=5", 60, 0));
            run(slice("busy", "busy", "calls=10 users=3", 12, 0));
            run(slice("moved", "moved", "calls=10 users=3", 12, 0));
            run(slice("silent", "silent", "calls=10 users=3", 3, 0));
            run(slice("broken", "broken", "calls=10 users=3", 12, 0));
            run(slice("slow", "slow", "calls=10 users=4", 20, 0));
            run(slice("open", "slow", "calls=10 rate=50.5", 60, 0));
            run(slice("overload", "slow", "calls=10 rate=400", 100, 0));
            runTwoAtTheSameTime();
            turnAround();
            Duration before = gatling.cpu();
            long begin = System.nanoTime();
            assertThat(bench.result(Duration.ofSeconds(3)))
                    .as("nothing is ordered")
                    .isEmpty();
            busyWhileParked = (double) gatling.cpu().minus(before).toNanos() / (System.nanoTime() - begin);
            server.close();
            run(slice("dead", "right", "calls=10 users=3", 6, 0));
            bench.close();
            generator = gatling.await();
        }
    }

    private static void runTwoAtTheSameTime() throws IOException {
        bench.order(slice("both-1", "slow", "calls=10 users=5", 50, 0));
        bench.order(new Slice("both-2", "slow", Workload.parse("calls=10 users=5"), 40, 0, otherServer.url()));
        take();
        take();
    }

    /**
     * Measures slices of one request, from the order to the result, without the slice's own time, and keeps the
     * shortest. Other tests run beside this one, so more slices follow until one is short enough, for at most a minute.
     */
    private static void turnAround() throws IOException {
        turnaroundMillis = Double.MAX_VALUE;
        long until = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        for (int i = 0; i < 20 || turnaroundMillis > 5 && System.nanoTime() < until; i++) {
            long begin = System.nanoTime();
            SliceResult result = run(slice("short-" + i, "short", "calls=1 users=1", 1, 0));
            turnaroundMillis = Math.min(turnaroundMillis, (System.nanoTime() - begin) / 1e6 - result.seconds() * 1000);
        }
    }

    private static Slice slice(String id, String variant, String workload, long requests, double seconds) {
        return new Slice(id, variant, Workload.parse(workload), requests, seconds);
    }

    private static SliceResult run(Slice slice) throws IOException {
        bench.order(slice);
        return take();
    }

    private static SliceResult take() throws IOException {
        SliceResult result = bench.result(PATIENCE).orElseThrow(() -> new AssertionError("no result"));
        RESULTS.put(result.id(), result);
        return result;
    }

    @AfterAll
    static void stop() {
        otherServer.close();
    }

    @Test
    void endsWhenTheChannelIsClosed() {
        assertThat(generator.exitCode()).as(generator.output()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"right, 300", "slow, 20", "open, 60", "overload, 100", "both-1, 50", "both-2, 40"})
    void makesExactlyAsManyRequestsAsWereOrdered(String id, long requests) {
        assertThat(result(id).right()).isEqualTo(requests);
        assertThat(result(id).failed()).isZero();
        assertThat(latency(id).getTotalCount()).isEqualTo(requests);
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrong", "some-wrong", "busy", "moved", "silent"})
    void countsExactlyWhatTheServerCounted(String id) {
        assertThat(result(id).right() + result(id).failed())
                .isEqualTo(server.requests(id))
                .isPositive();
    }

    @Test
    void countsExactlyAcrossSlicesOfAVariant() {
        assertThat(server.requests("right")).isEqualTo(600);
        assertThat(server.requests("slow")).isEqualTo(20 + 60 + 100 + 50);
        assertThat(otherServer.requests("slow")).as("a slice's own address").isEqualTo(40);
    }

    @ParameterizedTest
    @CsvSource({
        "wrong, wrong",
        "some-wrong, wrong",
        "busy, http-503",
        "moved, http-302",
        "silent, timeout",
        "broken, connect",
        "dead, connect"
    })
    void namesTheKindOfFailure(String id, String kind) {
        assertThat(result(id).failures()).containsOnlyKeys(kind);
        assertThat(result(id).failed()).isPositive();
    }

    @Test
    void findsEachWrongAnswerAmongRightOnes() {
        assertThat(result("some-wrong").failed()).isEqualTo(6);
    }

    @Test
    void goesOnWithItsNumberOfRequestsWhereTheServerIsDead() {
        assertThat(result("dead").failed()).isEqualTo(6);
    }

    @Test
    void showsTheFirstWrongAnswerOfASlice() {
        assertThat(generator.output())
                .containsOnlyOnce(
                        "Slice wrong: the first request that failed: wrong: square (entry 2 is {\"2\":5}, not 4)");
    }

    @Test
    void keepsOneConnectionAUserAndTheSameUsers() {
        assertThat(server.connections("right")).isEqualTo(10);
    }

    @Test
    void measuresLatencyAndTime() {
        SliceResult slow = result("slow");

        assertThat(slow.seconds()).isBetween(0.5, 2.0);
        assertThat(slow.right()).isEqualTo(20);
        assertThat(latency("slow").getValueAtPercentile(50) / 1e9).isBetween(0.100, 0.200);
        assertThat(slow.unansweredNanos()).isZero();
        assertThat(slow.busiestThread()).isBetween(0.0, 1.0);
    }

    @Test
    void saysAtWhichAgeARequestWithoutAnAnswerWasGivenUp() {
        assertThat(result("silent").unansweredNanos() / 1e9).isBetween(1.9, 4.0);
    }

    @Test
    void keepsTheRateOfTheOpenModel() {
        SliceResult open = result("open");

        // 59 intervals of 1/50.5 s and the last answer.
        assertThat(open.seconds()).isBetween(1.26, 2.0);
        assertThat(latency("open").getValueAtPercentile(50) / 1e9).isBetween(0.100, 0.200);
    }

    /** Twelve users have 120 answers per second from the slow variant. */
    @Test
    void countsTheWaitForAFreeUser() {
        assertThat(latency("overload").getMaxValue() / 1e9).isBetween(0.5, 3.0);
    }

    @Test
    void carriesOutTwoSlicesAtTheSameTime() {
        assertThat(result("both-1").seconds()).isBetween(1.0, 1.7);
        assertThat(result("both-2").seconds()).isBetween(0.8, 1.7);
    }

    @Test
    void losesHardlyAnyTimeBetweenSlices() {
        assertThat(turnaroundMillis).as("ms besides the slice itself").isBetween(0.0, 5.0);
    }

    @Test
    void needsNoProcessorWhileEverybodyIsParked() {
        assertThat(busyWhileParked).isLessThan(0.01);
    }

    @Test
    void writesNeitherALogOfRequestsNorPages() {
        assertThat(folder).isDirectoryNotContaining(Files::isDirectory);
    }

    private static SliceResult result(String id) {
        SliceResult result = RESULTS.get(id);
        if (result == null) {
            throw new AssertionError("no result of " + id + " in:\n" + generator.output());
        }
        return result;
    }

    private static Histogram latency(String id) {
        return result(id).latency();
    }
}
