package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.processes.Ports;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.stack.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Comparisons that start their own stack, and that end before they are complete. */
@Tag("long")
class CompareAloneIT {

    private final Repository repository = Commands.builtCheckout();
    private final Commands commands = new Commands(repository);
    private final int offset = commands.freeOffset();

    @TempDir
    Path directory;

    private Path out;
    private Path output;

    @BeforeEach
    void prepare() throws IOException {
        out = directory.resolve("results");
        output = Files.createFile(directory.resolve("output"));
    }

    @AfterEach
    void leavesNothing() throws IOException {
        commands.removeStack(offset);
    }

    /** A comparison of only one variant is also judged while it runs, and starts only what that variant needs. */
    @Test
    void keepsWhatWasMeasuredWhenItIsInterrupted() throws Exception {
        Process compare = startOver("rest");
        assertThat(repository.stack(offset).state().variants()).containsExactly("rest");

        compare.toHandle().destroy();

        assertThat(compare.waitFor()).isEqualTo(143);
        assertThat(Files.readString(output)).contains("Interrupted; keeping what was measured.", "report.html");
        assertThatNothingRuns();
        Results results = ResultsFile.read(out);
        assertThat(results.interrupted()).isTrue();
        assertThat(results.cells()).isNotEmpty();
        assertThat(out.resolve("report.html")).isNotEmptyFile();
    }

    /** Nothing can be done after the kill, so everything must have been done before it. */
    @Test
    void leavesItsBlocksToAReportAndNoProcessWhenItIsKilled() throws Exception {
        // The variant has a broker, which must end, too.
        Process compare = startOver("nats");
        assertThat(commands.run("down", "--port-offset", Integer.toString(offset))
                        .output())
                .contains("Another ./chatterbox");

        compare.destroyForcibly().waitFor();

        await().atMost(Duration.ofMinutes(1)).untilAsserted(this::assertThatNothingRuns);
        Results results = ResultsFile.read(out);
        assertThat(results.interrupted()).isTrue();
        assertThat(results.cells().stream()
                        .flatMap(cell -> cell.slices().stream())
                        .map(SliceFigures::block))
                .contains(1, 2);
        assertThat(results.cells().stream().flatMap(cell -> cell.slices().stream()))
                .flatExtracting(SliceFigures::reasons)
                .allMatch(reason -> reason.toString().startsWith("other programs"));

        Commands.Result report = commands.run("report", out.toString());

        assertThat(report.exitCode()).as(report.output()).isZero();
        assertThat(report.output()).contains("CPU-µs", "The run did not come to its end");
        assertThat(out.resolve("report.html")).content().contains("The run did not come to its end");
        assertThat(out.resolve("summary.md")).content().contains("The run did not come to its end");
        assertThat(out.resolve("results.csv")).content().contains("the run smoke: it did not come to its end");
    }

    /** A later start may fail in any way; here a variant's file is broken in the meantime. */
    @Test
    void keepsTheFirstStartIfTheSecondFails() throws Exception {
        Path variants = Files.createDirectory(directory.resolve("variants"));
        Path variant = variants.resolve("rest-further.properties");
        Files.writeString(variant, "transport=rest\nabout=a variant that nobody measures here\n");
        Process compare = commands.start(
                Map.of("CHATTERBOX_VARIANTS", variants.toString()),
                output,
                "compare",
                "--preset",
                "smoke",
                "--starts",
                "2",
                "--blocks",
                "500",
                "--time",
                "8s",
                "--transports",
                "rest",
                "--port-offset",
                Integer.toString(offset),
                "--out",
                out.toString());
        await().atMost(Duration.ofMinutes(3)).until(() -> has("block 1: ") || !compare.isAlive());
        Files.writeString(variant, "pigeon=yes\n");

        assertThat(compare.waitFor()).as(Files.readString(output)).isEqualTo(2);
        assertThat(Files.readString(output)).contains("-further.properties", "CPU-µs", "did not come to its end");
        assertThatNothingRuns();
        Results results = ResultsFile.read(out);
        assertThat(results.interrupted()).isTrue();
        assertThat(results.starts()).isOne();
        assertThat(results.cells()).isNotEmpty();
        assertThat(results.doubts()).anyMatch(doubt -> doubt.startsWith("The run ended before its time."));
        assertThat(out.resolve("report.html")).isNotEmptyFile();
    }

    @Test
    void leavesNothingWhenItIsInterruptedBeforeItMeasures() throws Exception {
        Process compare = start("nats");
        await().atMost(Duration.ofMinutes(1))
                .until(() -> !repository.stack(offset).members().isEmpty());

        compare.toHandle().destroy();

        assertThat(compare.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(compare.exitValue()).isEqualTo(143);
        assertThat(Files.readString(output)).contains("nothing was measured").doesNotContain("too long");
        assertThatNothingRuns();
        assertThat(repository.stack(offset).members()).isEmpty();
    }

    /** Starts a comparison, and returns after two blocks. */
    private Process startOver(String variant) throws IOException {
        Process compare = start(variant);
        await().atMost(Duration.ofMinutes(3)).until(() -> has("block 2: ") || !compare.isAlive());
        assertThat(compare.isAlive()).as(Files.readString(output)).isTrue();
        return compare;
    }

    private Process start(String variant) throws IOException {
        return commands.start(
                Map.of(),
                output,
                "compare",
                "--preset",
                "smoke",
                "--blocks",
                "500",
                "--time",
                "10m",
                "--transports",
                variant,
                "--port-offset",
                Integer.toString(offset),
                "--out",
                out.toString());
    }

    /** Whether the comparison has come to this step. */
    private boolean has(String step) throws IOException {
        Path log = out.resolve("logs/progress.log");
        return Files.exists(log) && Files.readString(log).contains(step);
    }

    private void assertThatNothingRuns() {
        assertThat(commands.ports(offset))
                .allSatisfy(port -> assertThat(Ports.owner(port)).isEmpty());
        String stack = repository.stack(offset).directory().toString();
        assertThat(Commands.processes()).noneMatch(line -> line.contains(stack));
        assertThat(Commands.generators(repository)).isEmpty();
    }
}
