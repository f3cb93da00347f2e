package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PublishTests {

    private static final List<String> VARIANTS = List.of("one", "two");

    @TempDir
    Path root;

    private Path page;

    @BeforeEach
    void create() throws IOException {
        Files.createDirectories(root.resolve("bench/workloads/claims"));
        Files.createDirectories(root.resolve("docs/pictures"));
        Path variant = Files.createDirectories(root.resolve("variants")).resolve("nats.properties");
        Files.copy(Path.of("../../variants/nats.properties"), variant);
        Files.writeString(root.resolve("README.md"), "No table.\n");
        page = root.resolve("docs/page.md");
    }

    @Test
    void refusesARunThatShowsLessThanItSays() throws IOException {
        Map<String, MeasuredResults> flawed = Map.of(
                "it did not come to its end", new MeasuredResults(VARIANTS).interrupted(),
                "its checkout had changes", new MeasuredResults(VARIANTS).dirty(),
                "one is not valid under unary calls=10 users=1", new MeasuredResults(VARIANTS).invalid(),
                "responders do not agree", new MeasuredResults(VARIANTS).disagreeing());
        for (Map.Entry<String, MeasuredResults> flaw : flawed.entrySet()) {
            Path run = flaw.getValue().write(root.resolve("run"));

            assertThatThrownBy(() -> publish(run))
                    .isInstanceOf(ResultsException.class)
                    .hasMessageContainingAll(
                            "is not published: ", flaw.getKey(), "./chatterbox compare --preset made-up");
            assertThat(root.resolve("docs/results")).doesNotExist();
        }
    }

    @Test
    void takesARunWithoutFlaws() throws IOException {
        Files.writeString(page, "No table.\n");

        publish(new MeasuredResults(VARIANTS).write(root.resolve("run")));

        assertThat(root.resolve("docs/results/mine.json.gz")).exists();
    }

    @Test
    void aPublishedFileHasAReportInAFolderOfItsName() throws IOException {
        publish(new MeasuredResults(VARIANTS).write(root.resolve("run")));

        assertThat(report("docs/results/mine.json.gz")).isZero();
        assertThat(root.resolve(".chatterbox/results/mine")).isDirectoryNotContaining("glob:**/results.json");
        assertThat(root.resolve(".chatterbox/results/mine/report.html"))
                .content()
                .contains("made-up", "</html>");
        assertThat(report("run/results.json")).isZero();
        assertThat(root.resolve("run/report.html")).exists();

        new MeasuredResults(VARIANTS).write(root.resolve(".chatterbox/results/mine"));
        assertThatThrownBy(() -> report("docs/results/mine.json.gz"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("holds results already; rename it");
    }

    /** As a run that was not warm: its figures are right, and each is shown with why it is not ranked. */
    @Test
    void publishesADoubtWithItsFigures() throws IOException {
        Files.writeString(page, "<!-- table mine: unary calls=10 users=1; brief one, two -->\n<!-- end -->\n");

        publish(new MeasuredResults(VARIANTS).doubted("nothing was warmed up").write(root.resolve("run")));

        assertThat(ResultsFile.read(root.resolve("docs/results/mine.json.gz")).cells())
                .extracting(Cell::doubts)
                .containsOnly(List.of("nothing was warmed up"));
        assertThat(Files.readString(page))
                .contains("| one |", "| two |")
                .contains("nothing was warmed up")
                .doesNotContain("| 1 |");
    }

    private int report(String file) throws IOException {
        ReportCommand report = new ReportCommand(new Repository(root, Optional.empty()), terminal());
        new CommandLine(report).parseArgs(root.resolve(file).toString());
        return report.call();
    }

    private static Terminal terminal() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        return new Terminal(nowhere, nowhere, false, false);
    }

    private void publish(Path run) throws IOException {
        Publish publish = new Publish(new Repository(root, Optional.empty()), terminal());
        new CommandLine(publish).parseArgs(run.toString(), "--as", "mine");
        publish.call();
    }
}
