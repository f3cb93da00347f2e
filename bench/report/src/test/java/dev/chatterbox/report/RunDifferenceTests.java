package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chatterbox.report.SampleResults.SampleRow;
import dev.chatterbox.results.ResultsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDifferenceTests {

    private static final SampleRow FLUSHING =
            new SampleRow("nats", "broker", "at most once, nothing stored", 11, 4.2, 9.5, 40, 0.0005, 345_000);

    @TempDir
    Path runs;

    @Test
    void callsTwoRunsOfTheSamePresetEqual() throws IOException {
        SampleResults.quick(1).write(runs, "20261120-110000-quick");
        SampleResults.quick(2).write(runs, "20261120-120000-quick");

        assertThat(diff("previous", "latest"))
                .contains("The environments are the same.")
                .endsWith("A and B are equal within the noise: none of 27 differences is larger.");
    }

    @Test
    void callsTwoRunsOfTheFullMatrixEqual() throws IOException {
        SampleResults.full(1).write(runs, "a");
        SampleResults.full(2).write(runs, "b");

        assertThat(diff("a", "b")).contains("A and B are equal within the noise");
    }

    @Test
    void showsWhatBecameWorseAndByHowMuch() throws IOException {
        SampleResults.quick(1).write(runs, "a");
        flushing().write(runs, "b");

        assertThat(diff("a", "b"))
                .contains("B is worse than A over nats; kafka and rest are equal within the noise.")
                .containsPattern("Over nats B needs 1\\.\\d\\d to 2\\.\\d\\d times the CPU per call at all 3 workloads")
                .contains("nats.flush  batched → each request");
        assertThat(diff("b", "a")).contains("B is better than A over nats");
    }

    /** A responder that makes a call 15 % dearer, on a machine whose weather moves the sums by a third. */
    @Test
    void findsInThePartsWhatTheWeatherHidesInTheSum() throws IOException {
        SampleRow slowed = new SampleRow("rest", "direct", "direct, at most once", 49, 53.5, 0, 0, 0.0003, 79_000);
        weather(1, SampleResults.REST).write(runs, "a");
        weather(2, SampleResults.REST).write(runs, "same");
        weather(3, slowed).write(runs, "slowed");

        assertThat(diff("a", "same"))
                .contains("A and B are equal within the noise")
                .doesNotContain("of it ");
        assertThat(diff("a", "slowed"))
                .contains(
                        "B divides its CPU differently among the processes over rest; kafka and nats are equal within the")
                .contains("Over rest the responder takes a larger part of a call's CPU at 2 of 3 workloads: either")
                .containsPattern("of it aggregator 5\\d % → 4\\d %, responder 4\\d % → 5\\d % p <?0\\.\\d+")
                .containsPattern("p 0\\.\\d+ shifted");
    }

    @Test
    void takesNoSlowerMachineForAWorseRun() throws IOException {
        SampleResults.quick(1).write(runs, "a");
        onSlowMachine(SampleResults.NATS).write(runs, "slow");
        onSlowMachine(FLUSHING).write(runs, "flushing");

        assertThat(diff("a", "slow"))
                .contains(
                        "! The machine was not equally fast: the load generator's work, which is the same for a call in both,")
                .containsPattern("cost\\s+1\\.\\d+ times as much over kafka, 1\\.\\d+ times as much over nats and")
                .containsPattern("×1\\.4\\d p 0\\.\\d\\d =")
                .contains(
                        "A and B are equal within the noise: none of 18 differences is larger.",
                        "9 differences are not judged: fewer than 5 rounds, or a latency");
        assertThat(diff("a", "flushing"))
                .contains("B is worse than A over nats; kafka and rest are equal within the noise.");
        assertThat(diff("slow", "flushing")).doesNotContain("The machine was not equally fast");
    }

    private static SampleResults onSlowMachine(SampleRow nats) {
        return SampleResults.of("quick", 2, SampleResults.REST, nats, SampleResults.KAFKA)
                .machine(1.4)
                .closed(List.of(1, 100, 1000), List.of(100));
    }

    private static SampleResults weather(long seed, SampleRow rest) {
        return SampleResults.of("quick", seed, rest, SampleResults.NATS, SampleResults.KAFKA)
                .noise(0.15)
                .closed(List.of(1, 100, 1000), List.of(100));
    }

    private static SampleResults flushing() {
        return SampleResults.of("quick", 2, SampleResults.REST, FLUSHING, SampleResults.KAFKA)
                .closed(List.of(1, 100, 1000), List.of(100))
                .setting("nats", "flush", "each request")
                .flags("aggregator-service", "-Xms512m ".repeat(20));
    }

    @Test
    void takesNoNoticeOfWhereACheckoutKeepsItsArchives() throws IOException {
        SampleResults.quick(1)
                .flags("aggregator-service", "-XX:SharedArchiveFile=/a/1.jsa -Xmx512m")
                .write(runs, "a");
        SampleResults.quick(2)
                .flags("aggregator-service", "-XX:SharedArchiveFile=/b/2.jsa -Xmx512m")
                .write(runs, "b");
        SampleResults.quick(3).flags("aggregator-service", "-Xmx512m").write(runs, "c");

        assertThat(diff("a", "b")).contains("The environments are the same.");
        assertThat(diff("a", "c")).contains("The environments differ in:", "SharedArchiveFile");
    }

    @Test
    void fitsTheTerminal() throws IOException {
        SampleResults.full(1).write(runs, "a-" + "long-name-".repeat(12));
        flushing().invalid("rest", 100, "wrong").write(runs, "b");

        assertThat(diff("a-", "b").lines())
                .filteredOn(line -> !line.startsWith("page: "))
                .hasSizeGreaterThan(20)
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(TextLines.WIDTH));
    }

    @Test
    void listsCellsThatOnlyOneHas() throws IOException {
        SampleResults.quick(1).write(runs, "a");
        SampleResults.of("less", 2, SampleResults.NATS)
                .closed(List.of(100, 7), List.of(100))
                .write(runs, "b");

        assertThat(diff("a", "b"))
                .contains("Only in A: 3 cells of kafka, 2 cells of nats, 3 cells of rest.")
                .contains("Only in B: nats at 7 calls, 100 users.");
    }

    @Test
    void judgesNothingThatIsNotValidOrHasTooFewRounds() throws IOException {
        SampleResults.quick(1).invalid("nats", 1000, "a wrong square").write(runs, "a");
        flushing().write(runs, "b");
        SampleResults.of("one", 3, FLUSHING)
                .rounds(1)
                .closed(List.of(1000), List.of(100))
                .write(runs, "c");

        assertThat(diff("a", "b"))
                .contains("! A has 1 cell that is not valid and not judged: nats at 1,000 calls, 100 users.")
                .contains("times the CPU per call at all 2 workloads");
        assertThat(diff("b", "c")).contains("?").contains("Nothing can be judged: that needs cells");
    }

    @Test
    void hasNothingToSayOfRunsThatShareNothing() throws IOException {
        SampleResults.of("x", 1, SampleResults.NATS)
                .closed(List.of(1), List.of(1))
                .write(runs, "a");
        SampleResults.of("y", 1, SampleResults.REST)
                .closed(List.of(1), List.of(1))
                .write(runs, "b");

        assertThat(diff("a", "b")).contains("A and B have no cell in common");
    }

    @Test
    void pairsWorkloadsOfEveryDimension() throws IOException {
        SampleResults.of("x", 1, SampleResults.NATS)
                .workloads("unary calls=100 users=100 payload=0,1024 distance=0ms,5ms")
                .write(runs, "a");
        SampleResults.of("x", 2, SampleResults.NATS)
                .workloads("unary calls=100 users=100 payload=1024,2048")
                .write(runs, "b");

        assertThat(diff("a", "b"))
                .contains("Only in B: nats at 100 calls, 100 users (2,048 bytes of payload).")
                .contains(
                        "Only in A: nats at 100 calls, 100 users; nats at 100 calls, 100 users (5 ms of distance); nats at")
                .contains("\nnats, 1,024 bytes of payload\n  100 calls, 100 users  ")
                .contains("none of 3 differences is larger");
    }

    @Test
    void readsTheFirstSchema() throws IOException {
        Path first = Files.createDirectories(runs.resolve("first"));
        Files.copy(Path.of("src", "test", "resources", "report", "schema-1.json"), first.resolve("results.json"));
        SampleResults.of("small", 1, SampleResults.NATS.named("able"))
                .closed(List.of(100), List.of(10))
                .setting("able", "delivery", "at most once")
                .write(runs, "second");

        assertThat(diff("first", "second"))
                .contains("B ÷ A", "  100 calls, 10 users")
                .doesNotContain("able.responder", "able.exchanges", "able.delivery");
    }

    @Test
    void writesAPageThatLoadsNothing() throws IOException {
        SampleResults.quick(1).write(runs, "a");
        flushing().write(runs, "b");
        Path page = Path.of("target", "report-samples", "diff.html");
        Files.createDirectories(page.getParent());
        RunDifference difference = of("a", "b");
        Files.writeString(page, difference.html());

        assertThat(ReportTests.withoutScripts(difference.html()))
                .startsWith("<!doctype html>")
                .contains("B against A", "is worse than A over", "each request")
                .doesNotContain("NaN", "null", "src=\"");
        assertThat(difference.fileName()).isEqualTo("diff-a.html");
    }

    @Test
    void findsRunsByNameBeginningAndPath() throws IOException {
        Path a = SampleResults.quick(1).write(runs, "20261120-110000-quick");
        Path b = SampleResults.quick(2).write(runs, "20261121-110000-full");

        assertThat(new Runs(runs).find("quick")).isEqualTo(a);
        assertThat(new Runs(runs).find("20261120")).isEqualTo(a);
        assertThat(new Runs(runs).find("20261121-110000-full")).isEqualTo(b);
        assertThat(new Runs(runs).find("latest")).isEqualTo(b);
        assertThat(new Runs(runs).find("previous")).isEqualTo(a);
        assertThat(diff(
                        a.toString(),
                        a.resolveSibling(b).resolve("results.json").toString()))
                .contains("A  20261120-110000-quick", "B  20261121-110000-full");
    }

    @Test
    void refusesWhatItCannotFind() throws IOException {
        assertThat(refusal("latest", "previous")).contains("There is no latest run");
        SampleResults.quick(1).write(runs, "20261120-110000-quick");
        SampleResults.quick(2).write(runs, "20261120-120000-quick");

        assertThat(refusal("quick", "latest")).contains("'quick' could be any of 2 runs", "20261120-110000-quick");
        assertThat(refusal("nope", "latest")).contains("There is no run 'nope'", "It holds:");
        assertThat(refusal("latest", "latest")).contains("there is nothing to compare");
        assertThat(refusal(runs.toString(), "latest")).contains("There is no ", "results.json");
        assertThat(refusal("\0", "latest")).contains("is no path and no name of a run");
    }

    @Test
    void refusesAnotherSchema() throws IOException {
        SampleResults.quick(1).write(runs, "a");
        Path b = SampleResults.quick(2).write(runs, "b").resolve("results.json");
        Files.writeString(b, Files.readString(b).replace("chatterbox-results/3", "chatterbox-results/9"));

        assertThat(refusal("a", "b")).contains("chatterbox-results/9", "use the version that wrote it");
    }

    private RunDifference of(String a, String b) {
        Runs found = new Runs(runs);
        return RunDifference.of(found.find(a), found.find(b));
    }

    private String diff(String a, String b) {
        return String.join("\n", of(a, b).lines(runs.resolve("page.html")));
    }

    private String refusal(String a, String b) {
        return catchThrowableOfType(ResultsException.class, () -> of(a, b)).getMessage();
    }
}
