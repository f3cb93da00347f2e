package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.cli.CliException;
import dev.chatterbox.report.SampleResults.Transport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DiffTests {

    private static final Transport FLUSHING =
            new Transport("nats", "broker", "at most once, nothing stored", 11, 4.2, 9.5, 40, 0.0005, 345_000);

    @TempDir
    Path runs;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void callsTwoRunsOfTheSamePresetEqual() throws IOException {
        SampleResults.quick(1).write(runs, "20261120-110000-quick");
        SampleResults.quick(2).write(runs, "20261120-120000-quick");

        assertThat(diff("previous", "latest")).isZero();
        assertThat(out.toString())
                .contains("The environments are the same.")
                .endsWith("A and B are equal within the noise: none of 27 differences is larger."
                        + System.lineSeparator());
    }

    @Test
    void callsTwoRunsOfTheFullMatrixEqual() throws IOException {
        SampleResults.full(1).write(runs, "a");
        SampleResults.full(2).write(runs, "b");

        assertThat(diff("a", "b")).isZero();
        assertThat(out.toString()).contains("A and B are equal within the noise");
    }

    @Test
    void showsWhatBecameWorseAndByHowMuch() throws IOException {
        SampleResults.quick(1).write(runs, "a");
        flushing().write(runs, "b");

        assertThat(diff("a", "b")).isZero();
        assertThat(out.toString())
                .contains("B is worse than A over nats; kafka and rest are equal within the noise.")
                .containsPattern("Over nats at 2 of 3 loads B makes 0\\.\\d\\d( to 0\\.\\d\\d)? times the calls/s")
                .contains("nats.flush  batched → each request");
        out.getBuffer().setLength(0);
        assertThat(diff("b", "a")).isZero();
        assertThat(out.toString()).contains("B is better than A over nats");
    }

    private static SampleResults flushing() {
        return SampleResults.of("quick", 2, SampleResults.REST, FLUSHING, SampleResults.KAFKA)
                .closed(List.of(1, 100, 1000), List.of(100))
                .environment("settings/transports/nats/settings/flush", "each request")
                .environment("java/flags/aggregator-service", "-Xms512m ".repeat(20));
    }

    @Test
    void fitsTheTerminal() throws IOException {
        SampleResults.full(1).write(runs, "a-" + "long-name-".repeat(12));
        flushing().invalid("rest", 100, "wrong").write(runs, "b");

        assertThat(diff("a-", "b", "--out", runs.resolve("x.html").toString())).isZero();
        assertThat(out.toString().lines())
                .filteredOn(line -> !line.startsWith("page: "))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(DiffText.WIDTH));
    }

    @Test
    void listsCellsThatOnlyOneHas() throws IOException {
        SampleResults.quick(1).write(runs, "a");
        SampleResults.of("less", 2, SampleResults.NATS)
                .closed(List.of(100, 7), List.of(100))
                .write(runs, "b");

        diff("a", "b");
        assertThat(out.toString())
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

        diff("a", "b");
        assertThat(out.toString())
                .contains("! A has 1 cell that is not valid and not judged: nats at 1,000 calls, 100 users.")
                .contains("Over nats at 1 of 2 loads");
        out.getBuffer().setLength(0);
        diff("b", "c");
        assertThat(out.toString()).contains("?").contains("Nothing can be judged: that needs cells");
    }

    @Test
    void hasNothingToSayOfRunsThatShareNothing() throws IOException {
        SampleResults.of("x", 1, SampleResults.NATS)
                .closed(List.of(1), List.of(1))
                .write(runs, "a");
        SampleResults.of("y", 1, SampleResults.REST)
                .closed(List.of(1), List.of(1))
                .write(runs, "b");

        assertThat(diff("a", "b")).isZero();
        assertThat(out.toString()).contains("A and B have no cell in common");
    }

    @Test
    void writesAPageThatLoadsNothing() throws IOException {
        SampleResults.quick(1).write(runs, "a");
        flushing().write(runs, "b");
        Path page = Path.of("target", "report-samples", "diff.html");
        Files.createDirectories(page.getParent());

        diff("a", "b", "--out", page.toString());
        String html = ReportTests.withoutScripts(Files.readString(page));
        assertThat(html)
                .contains("B against A", "is worse than A over", "each request")
                .doesNotContain("NaN", "{{", "src=\"");
        diff("a", "b");
        assertThat(runs.resolve("b/diff-a.html")).exists();
    }

    @Test
    void findsRunsByNameBeginningAndPath() throws IOException {
        Path a = SampleResults.quick(1).write(runs, "20261120-110000-quick");
        SampleResults.quick(2).write(runs, "20261121-110000-full");

        assertThat(diff("quick", "full")).isZero();
        assertThat(diff("20261120", "20261121-110000-full")).isZero();
        assertThat(diff(a.toString(), "latest")).isZero();
        assertThat(diff(a.resolve("results.json").toString(), "latest")).isZero();
    }

    @Test
    void refusesWhatItCannotFind() throws IOException {
        assertThat(diff("latest", "previous")).isEqualTo(2);
        assertThat(err.toString()).contains("There is no latest run");
        SampleResults.quick(1).write(runs, "20261120-110000-quick");
        SampleResults.quick(2).write(runs, "20261120-120000-quick");

        assertThat(diff("quick", "latest")).isEqualTo(2);
        assertThat(err.toString()).contains("'quick' could be any of 2 runs", "20261120-110000-quick");
        assertThat(diff("nope", "latest")).isEqualTo(2);
        assertThat(err.toString()).contains("There is no run 'nope'", "It holds:");
        assertThat(diff("latest", "latest")).isEqualTo(2);
        assertThat(err.toString()).contains("there is nothing to compare");
        assertThat(diff(runs.toString(), "latest")).isEqualTo(2);
        assertThat(err.toString()).contains("There is no ", "results.json");
        assertThat(diff("latest")).isEqualTo(2);
        assertThat(err.toString()).contains("RUN_B");
    }

    @Test
    void refusesAnotherSchema() throws IOException {
        SampleResults.quick(1).write(runs, "a");
        SampleResults.quick(2).put("schema", "chatterbox-results/9").write(runs, "b");

        assertThat(diff("a", "b")).isEqualTo(2);
        assertThat(err.toString()).contains("chatterbox-results/9", "use the version that wrote it");
    }

    private int diff(String... arguments) {
        return new CommandLine(new Diff(runs))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler((e, commandLine, parsed) -> {
                    err.append(e.getMessage());
                    return e instanceof CliException known ? known.exitCode() : 1;
                })
                .execute(arguments);
    }
}
