package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PresetTests {

    private static final Path OURS = Path.of("../workloads/presets");

    @TempDir
    Path folder;

    /** The quick one of this checkout, with one line changed. */
    static Preset preset(String key, String value) {
        try {
            Path folder = Files.createTempDirectory("presets");
            try {
                return read(folder, key, value);
            } finally {
                Files.delete(folder.resolve("changed.properties"));
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Preset read(Path folder, String key, String value) throws IOException {
        Properties properties = new Properties();
        try (var in = Files.newInputStream(OURS.resolve("quick.properties"))) {
            properties.load(in);
        }
        properties.setProperty(key, value);
        try (var out = Files.newOutputStream(folder.resolve("changed.properties"))) {
            properties.store(out, null);
        }
        return Preset.read(folder, "changed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "quick",
                "classic",
                "full",
                "smoke",
                "live",
                "transports",
                "tuning",
                "languages",
                "cure",
                "payload"
            })
    void readsThoseOfThisCheckout(String name) {
        Preset preset = Preset.read(OURS, name);

        preset.require(10_000, 1000);
        assertThat(Preset.names(OURS)).contains(name);
        WarmUpBounds.Rule rule = preset.timing().warmUp().rule();
        assertThat(rule.windowSeconds() * rule.windows()).as("its windows fit").isLessThanOrEqualTo(rule.maxSeconds());
    }

    @Test
    void quickTakesAtMostEightMinutesWithAllThatComesBefore() {
        assertThat(seconds(Preset.read(OURS, "quick"), "rest", "nats", "kafka")).isBetween(240.0, 480.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cure", "payload", "distance"})
    void takesAtMostTwentyMinutesOverTheDefaultRows(String name) {
        assertThat(seconds(Preset.read(OURS, name), "rest", "nats", "kafka")).isBetween(240.0, 1200.0);
    }

    @Test
    void countsWhatComesBeforeTheFirstRound() throws IOException {
        Preset quick = Preset.read(OURS, "quick");
        Preset without = read(folder, "first-warm-up", "0s..0s");

        assertThat(seconds(quick, "nats")).isGreaterThan(seconds(without, "nats") + 30);
    }

    @Test
    void countsOnlyTheCellsOfRowsThatHaveTheExchange() {
        Preset both = PresetTests.preset("workloads", "unary calls=100 users=10; stream calls=100 users=10");
        Preset unary = PresetTests.preset("workloads", "unary calls=100 users=10");

        assertThat(Comparison.seconds(
                        both,
                        List.of("rest", "nats"),
                        (row, workload) -> workload.exchange() == Exchange.UNARY || row.equals("rest"),
                        2))
                .isGreaterThan(seconds(unary, "rest", "nats"))
                .isLessThan(seconds(both, "rest", "nats"));
    }

    private static double seconds(Preset preset, String... rows) {
        return Comparison.seconds(preset, List.of(rows), (row, workload) -> true, rows.length);
    }

    @Test
    void changesExchangesAndPayloads() {
        Preset unary = PresetTests.preset("workloads", "unary calls=100 users=10");

        assertThat(unary.by(List.of(Exchange.UNARY, Exchange.BATCH), List.of(10, 100))
                        .workloads())
                .containsExactly(
                        Workload.parse("unary calls=100 users=10"),
                        Workload.parse("batch calls=100 size=10 users=10"),
                        Workload.parse("batch calls=100 size=100 users=10"));
        assertThat(unary.withPayloads(List.of(0, 1024)).workloads())
                .containsExactly(
                        Workload.parse("unary calls=100 users=10"),
                        Workload.parse("unary calls=100 users=10 payload=1024"));
        assertThatThrownBy(() -> unary.by(List.of(Exchange.BATCH), List.of()))
                .hasMessageContaining("size, the number of calls in a message, goes with the exchange batch");
        assertThatThrownBy(() -> unary.by(List.of(Exchange.STREAM), List.of(10)))
                .hasMessageContaining("size, the number of calls in a message, goes with the exchange batch");
        assertThatThrownBy(() -> unary.withPayloads(List.of(1, 1))).hasMessageContaining("names a value twice");
    }

    @Test
    void hasTheOpenModelInFull() {
        Preset full = Preset.read(OURS, "full");

        assertThat(full.closed()).hasSize(12).startsWith(Workload.parse("calls=1000 users=100"));
        assertThat(full.open())
                .hasSize(20)
                .startsWith(
                        Workload.parse("calls=1000 rate=50%-of-slowest"),
                        Workload.parse("calls=1000 rate=80%-of-slowest"),
                        Workload.parse("calls=1000 rate=50%"));
    }

    @ParameterizedTest
    @CsvSource({
        "workloads, unary calls=ten users=1, ten",
        "workloads, unary calls=1, needs either users",
        "workloads, '', workloads is missing",
        "measure, '', measure is missing",
        "measure, fast, fast",
        "warm-up, 5s, 5s",
        "typo, 1, 'typo'",
        "measure.x, 1s, measure.x",
        "rounds, x, x",
        "first-warm-up, 5s, 5s",
        "warm-up-load, calls=1 rate=5, closed model",
        "warm-up-load, calls=1, needs either users"
    })
    void saysWhatIsWrongInAFile(String key, String value, String message) {
        assertThatThrownBy(() -> read(folder, key, value))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("changed.properties")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "warm-up, 10s..5s",
        "first-warm-up, 1s..61m",
        "raw, 0s",
        "raw-rounds, -1",
        "rounds, 0",
        "measure, 61m",
        "measure.1, 0.4s",
        "workloads, unary calls=10001 users=1",
        "workloads, unary calls=1 users=1001",
        "workloads, unary calls=1 users=1; calls=2 rate=50%",
        "workloads, unary calls=1 users=1; calls=2 rate=50%-of-slowest"
    })
    void refusesBoundsThatCannotBeKept(String key, String value) {
        assertThatThrownBy(() -> read(folder, key, value).require(10_000, 1000)).isInstanceOf(WorkloadException.class);
    }

    @ParameterizedTest
    @CsvSource({"5s, 5", "2m, 120", "0.5s, 0.5", "7, 7"})
    void readsDurations(String text, double seconds) {
        assertThat(Preset.seconds(text)).isEqualTo(seconds);
    }

    @Test
    void hasWindowsOfItsOwnForSomeNumbersOfCalls() throws IOException {
        Preset preset = read(folder, "measure.1000", "9s");

        Workload thousand = Workload.parse("calls=1000 users=1");
        assertThat(preset.secondsOf(thousand)).isEqualTo(9);
        assertThat(preset.secondsOf(thousand.withCalls(100))).isEqualTo(1);
        assertThat(preset.secondsOf(thousand.withCalls(1))).isEqualTo(2);
        assertThat(preset.withSeconds(3).secondsOf(thousand)).isEqualTo(3);
    }

    @Test
    void measuresTheOpenModelAloneWhereRatesAreGiven() {
        Preset preset = Preset.read(OURS, "full").withCalls(List.of(5, 6)).withRates(List.of(50.0));

        assertThat(preset.workloads())
                .containsExactly(Workload.parse("calls=5 rate=50"), Workload.parse("calls=6 rate=50"));
        preset.require(10_000, 1000);
    }

    @Test
    void takesCallsAndUsersFromTheCommandLine() {
        Preset preset = Preset.read(OURS, "full")
                .withCalls(List.of(5))
                .withUsers(List.of(2, 3))
                .withRounds(7);

        assertThat(preset.workloads())
                .containsExactlyElementsOf(Workload.parseAll(
                        "calls=5 users=2,3; calls=5 rate=50%-of-slowest,80%-of-slowest; calls=5 rate=50%,70%,90%"));
        assertThat(preset.rounds()).isEqualTo(7);
        assertThat(preset.timing()).isEqualTo(Preset.read(OURS, "full").timing());
    }

    @Test
    void takesDistancesFromTheCommandLine() {
        Preset quick = Preset.read(OURS, "quick");
        Preset far = quick.withCalls(List.of(5)).withUsers(List.of(2)).withDistances(List.of(0, 10));

        assertThat(far.workloads()).containsExactlyElementsOf(Workload.parseAll("calls=5 users=2 distance=0ms,10ms"));
        assertThat(far.longestDistanceMillis()).isEqualTo(10);
        assertThat(quick.longestDistanceMillis()).isZero();
        assertThat(Run.distances(Preset.read(OURS, "distance"))).containsExactly(0, 1, 3, 10, 30);
        far.require(10_000, 1000);
        assertThatThrownBy(() -> quick.withDistances(List.of(5, 5)))
                .hasMessageContaining("distance names a value twice");
    }

    @Test
    void takesUsersWhereThePresetHasOnlyRates() {
        Preset rates = Preset.read(OURS, "quick").withWorkloads(List.of(Workload.parse("calls=5 rate=2")));

        assertThat(rates.withUsers(List.of(2)).workloads())
                .containsExactlyElementsOf(Workload.parseAll("calls=5 users=2; calls=5 rate=2"));
    }

    @Test
    void keepsTheHeavyLoadWithinTheAggregatorsBounds() {
        Preset quick = Preset.read(OURS, "quick");

        assertThat(quick.within(10_000, 1000)).isEqualTo(quick);
        assertThat(quick.within(50, 7).timing().warmUpLoad()).contains(Workload.parse("calls=50 users=7"));
    }

    @Test
    void namesRowsOfItsOwn() {
        assertThat(Preset.read(OURS, "tuning").rows()).contains("nats", "nats-stock");
        assertThat(Preset.read(OURS, "quick").rows()).isEmpty();
    }

    @Test
    void refusesAValueThatIsGivenTwice() {
        Preset quick = Preset.read(OURS, "quick");

        assertThatThrownBy(() -> quick.withCalls(List.of(5, 5)))
                .isInstanceOf(WorkloadException.class)
                .hasMessage("calls names a value twice: [5, 5].");
        assertThatThrownBy(() -> quick.withUsers(List.of(5, 5))).hasMessageContaining("users names a value twice");
        assertThatThrownBy(() -> quick.withRates(List.of(5.0, 5.0))).hasMessageContaining("rate names a value twice");
    }
}
