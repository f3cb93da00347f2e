package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.chatterbox.stack.Steps;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PresetTests {

    private static final Path OURS = Path.of("../workloads/presets");

    @TempDir
    Path folder;

    /** A preset with one headline, and no other workloads. */
    private Preset preset(String headline) {
        try {
            return read(folder, Map.of("workload", headline, "others", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The preset {@code quick} of this checkout, with one line changed. */
    private static Preset read(Path folder, String key, String value) throws IOException {
        return read(folder, Map.of(key, value));
    }

    private static Preset read(Path folder, Map<String, String> lines) throws IOException {
        Properties properties = new Properties();
        try (var in = Files.newInputStream(OURS.resolve("quick.properties"))) {
            properties.load(in);
        }
        properties.putAll(lines);
        try (var out = Files.newOutputStream(folder.resolve("changed.properties"))) {
            properties.store(out, null);
        }
        return Preset.read(folder, "changed");
    }

    @Test
    void readsThoseOfThisCheckout() {
        assertThat(Preset.names(OURS)).contains("quick", "smoke", "full", "live", "against");
        assertThat(Preset.names(OURS))
                .allSatisfy(name -> Preset.read(OURS, name).require(10_000, 1000));
    }

    @Test
    void quickTakesAtMostSixMinutesWithAllThatComesBefore() {
        assertThat(seconds("quick", 1)).isBetween(120.0, 360.0);
    }

    @Test
    void smokeTakesAtMostAMinute() {
        assertThat(seconds("smoke", 1)).isLessThan(45.0);
    }

    @Test
    void twoStartsOfTwoVersionsTakeAtMostTwelveMinutes() {
        assertThat(Preset.read(OURS, "against").effort().starts()).isEqualTo(2);
        // Two stacks start in about 40 s.
        assertThat(2 * (seconds("against", 2) + 40)).isLessThan(720.0);
    }

    private static double seconds(String preset, int sides) {
        return new Comparison(
                        new Comparison.Setup(
                                Preset.read(OURS, preset),
                                List.of("rest", "nats", "kafka"),
                                OURS,
                                OURS,
                                OURS,
                                "",
                                1,
                                1000),
                        Steps.SILENT)
                .seconds(sides);
    }

    @Test
    void aQueueMayHaveMoreMessagesThanARequestHasCalls() {
        preset("queue calls=1000000 users=1").require(10_000, 1000);
    }

    @Test
    void hasTheOpenModelInFull() {
        Preset full = Preset.read(OURS, "full");

        assertThat(full.workloads().stream().filter(Workload::isOpen)).hasSize(8);
        assertThat(full.workloads().stream().filter(workload -> !workload.isOpen()))
                .hasSize(14);
        assertThat(full.headline()).noneMatch(Workload::isOpen);
    }

    @Test
    void aWorkloadOfTheHeadlineIsNotAmongTheOthers() {
        Preset one = Preset.read(OURS, "quick").withCalls(List.of(7)).withUsers(List.of(2));

        assertThat(one.headline()).containsExactly(Workload.parse("calls=7 users=2"));
        assertThat(one.others()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "workload | unary calls=ten users=1 | workload: calls must be a whole number, but it is 'ten'",
                "workload | unary calls=1 | workload: a workload needs either users",
                "others | unary calls=1 | others: a workload needs either users",
                "time | fast | time: a duration is such as 500ms, 5s, 0.5s or 2m, but it is 'fast'",
                "width | wide | width: it must be a percentage such as 8%, but it is 'wide'",
                "bare | yes | bare: it must be true or false, but it is 'yes'",
                "memory | True | memory: it must be true or false",
                "keep-brokers | 1 | keep-brokers: it must be true or false",
                "slice | -1s | slice: a duration is such as 500ms",
                "blocks | x | blocks: it must be a whole number",
                "starts | 1.5 | starts: it must be a whole number",
                "typo | 1 | 'typo' is not known; known are bare, blocks, keep-brokers",
                "warm-up-load | calls=1 | warm-up-load: a workload needs either users"
            })
    void saysWhatIsWrongInAFile(String key, String value, String message) {
        assertThatThrownBy(() -> read(folder, key, value))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("changed.properties")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "warm-up, 61m",
        "warm-up, 0s",
        "blocks, 0",
        "starts, 0",
        "time, 0s",
        "slice, 61s",
        "width, 0%",
        "workload, unary calls=10001 users=1",
        "workload, unary calls=1 users=1001",
        "others, calls=2 rate=50%-of-slowest",
        "warm-up-load, calls=1 rate=5"
    })
    void refusesBoundsThatCannotBeKept(String key, String value) {
        assertThatThrownBy(() -> read(folder, key, value).require(10_000, 1000)).isInstanceOf(WorkloadException.class);
    }

    @ParameterizedTest
    @CsvSource({"8%, 0.08", "2.5%, 0.025", "15, 0.15"})
    void readsParts(String text, double part) {
        assertThat(Preset.part(text)).isCloseTo(part, within(1e-12));
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
        Preset preset = Preset.read(OURS, "full", Map.of("blocks", "7", "time", "9"))
                .withCalls(List.of(5))
                .withUsers(List.of(2, 3));

        assertThat(preset.workloads())
                .containsExactlyInAnyOrderElementsOf(
                        Workload.parseAll("calls=5 users=2,3; calls=5 rate=50%-of-slowest,80%-of-slowest"));
        assertThat(preset.effort().blocks()).isEqualTo(7);
        assertThat(preset.effort().seconds()).isEqualTo(9);
        assertThat(preset.effort().width())
                .isEqualTo(Preset.read(OURS, "full").effort().width());
    }

    @Test
    void saysWhichOptionIsWrong() {
        assertThatThrownBy(() -> Preset.read(OURS, "full", Map.of("time", "soon")))
                .isInstanceOf(WorkloadException.class)
                .hasMessage("--time: a duration is such as 500ms, 5s, 0.5s or 2m, but it is 'soon'");
    }

    @Test
    void takesADistance() {
        Preset quick = Preset.read(OURS, "quick");
        Preset far = quick.withCalls(List.of(5)).withUsers(List.of(2)).withDistance(10);

        assertThat(far.workloads()).containsExactlyElementsOf(Workload.parseAll("calls=5 users=2 distance=10ms"));
        assertThat(far.longestDistanceMillis()).isEqualTo(10);
        assertThat(quick.longestDistanceMillis()).isZero();
        far.require(10_000, 1000);
    }

    @Test
    void takesUsersWhereThePresetHasOnlyRates() {
        Preset rates = preset("calls=5 rate=2");

        assertThat(rates.withUsers(List.of(2)).workloads())
                .containsExactlyElementsOf(Workload.parseAll("calls=5 users=2"));
    }

    @Test
    void keepsTheHeavyLoadWithinTheAggregatorsBounds() {
        Preset quick = Preset.read(OURS, "quick");

        assertThat(quick.accepted(10_000, 1000)).isEqualTo(quick);
        assertThat(quick.accepted(50, 7).warmUpLoad()).contains(Workload.parse("calls=50 users=7"));
    }

    @Test
    void hasAsManyResidentsAsItsLargestWorkloadHasUsers() {
        assertThat(preset("calls=5 users=3; calls=5 users=70").residents(1000)).isEqualTo(70);
        assertThat(preset("calls=5 users=3; calls=5 rate=50%-of-slowest").residents(1000))
                .as("an open one may keep them all waiting")
                .isEqualTo(1000);
    }

    @Test
    void namesVariantsOfItsOwn() {
        assertThat(Preset.read(OURS, "tuning").variants()).contains("nats", "nats-stock");
        assertThat(Preset.read(OURS, "quick").variants()).isEmpty();
    }
}
