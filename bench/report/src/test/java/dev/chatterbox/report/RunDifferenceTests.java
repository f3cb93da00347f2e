package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDifferenceTests {

    @TempDir
    Path runs;

    @Test
    void namesTheFactorBelowWhichTwoRunsCannotBeToldApart() throws IOException {
        SampleRun.quick(1).write(runs, "20261120-110000-quick");
        SampleRun.quick(2).write(runs, "20261120-120000-quick");

        assertThat(diff("previous", "latest").replaceAll("\\s+", " "))
                .contains("The environments are the same.")
                .contains("Runs of different hours cannot be told apart below the factor.")
                .containsPattern("nats unary calls=100 users=25 \\S+ \\S+ \\S+ 1\\.[5-9]\\d ")
                .contains("with the spread between starts")
                .contains("that the same may cost 50 % more or less in another hour.")
                .contains("compare --against measures both in the same blocks.")
                .contains("0 of 20 cells lie beyond their factor.");
    }

    /** So many blocks have a narrow interval; only what another hour may do keeps a ratio of 1.3 within the factor. */
    @Test
    void callsNothingDearerThatAnotherHourMayMakeDearer() throws IOException {
        List<SampleRun.SampleVariant> before = List.of(SampleRun.NATS, SampleRun.KAFKA);
        List<SampleRun.SampleVariant> after = List.of(SampleRun.NATS.costing(1.4), SampleRun.KAFKA.costing(3));
        new SampleRun("before", 1, before)
                .measure("unary calls=100 users=25", before, 200, 1)
                .write(runs, "a");
        new SampleRun("after", 2, after)
                .measure("unary calls=100 users=25", after, 200, 1)
                .write(runs, "b");

        assertThat(diff("a", "b"))
                .containsPattern("nats .* 1\\.[234]\\d ")
                .doesNotContainPattern("nats .*costs more")
                .containsPattern("kafka .*costs more")
                .contains("1 of 2 cells lie beyond their factor.");
    }

    @Test
    void setsRatiosSideBySideWithWhatDiffersInTheEnvironments() throws IOException {
        SampleRun.quick(1).write(runs, "a");
        new SampleRun("quick", 2, List.of(SampleRun.MEMORY, SampleRun.REST, SampleRun.NATS.costing(3), SampleRun.KAFKA))
                .headline("unary calls=100 users=25; unary calls=7 users=1")
                .setting("nats", "flush", "each request")
                .write(runs, "b");

        String text = diff("a", "b");
        assertThat(text)
                .containsPattern("nats +unary calls=100 users=25 +\\d\\S+ +\\d\\S+ +2\\.\\d+ +\\d\\S+ +costs more")
                .contains("variants.nats.flush: – → each request")
                .contains("Without a valid counterpart in the other: 16 cells of run A, and 4 of run B.");
        assertThat(text.lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(TableText.WIDTH + 20));
    }

    @Test
    void comparesNothingThatIsNotValid() throws IOException {
        SampleRun.quick(1).out("nats", 1000, "a request failed").write(runs, "a");
        SampleRun.quick(2).write(runs, "b");

        assertThat(diff("a", "b").lines().filter(line -> line.startsWith("nats ")))
                .isEmpty();
    }

    @Test
    void findsRunsByTheirNames() throws IOException {
        SampleRun.quick(1).write(runs, "20261120-110000-quick");
        SampleRun.quick(2).write(runs, "20261120-120000-full");

        assertThat(diff("quick", "full")).contains("A: 20261120-110000-quick", "B: 20261120-120000-full");
        assertThat(diff(
                        "20261120-11",
                        runs.resolve("20261120-120000-full/results.json").toString()))
                .contains("B: 20261120-120000-full");
    }

    /** A folder that somebody named with --out would otherwise stay the latest for ever. */
    @Test
    void theLatestRunIsTheOneThatWasWrittenLast() throws IOException {
        Instant noon = Instant.parse("2026-11-20T12:00:00Z");
        Path mine = SampleRun.quick(1).write(runs, "mine").resolve(ResultsFile.NAME);
        Path quick = SampleRun.quick(2).write(runs, "20261120-120000-quick").resolve(ResultsFile.NAME);
        Files.setLastModifiedTime(mine, FileTime.from(noon));
        Files.setLastModifiedTime(quick, FileTime.from(noon.plusSeconds(60)));

        assertThat(diff("previous", "latest")).contains("A: mine", "B: 20261120-120000-quick");
        Files.setLastModifiedTime(mine, FileTime.from(noon.plusSeconds(120)));
        assertThat(diff("previous", "latest")).contains("A: 20261120-120000-quick", "B: mine");
    }

    @Test
    void aBeginningMeansTheLatestRunUnlessItIsAName() throws IOException {
        Path first = SampleRun.quick(1).write(runs, "mine").resolve(ResultsFile.NAME);
        SampleRun.quick(2).write(runs, "mine-2");
        SampleRun.quick(3).write(runs, "mine-3");
        Files.setLastModifiedTime(first, FileTime.from(Instant.parse("2026-11-20T12:00:00Z")));
        Files.setLastModifiedTime(
                runs.resolve("mine-2").resolve(ResultsFile.NAME), FileTime.from(Instant.parse("2026-11-20T13:00:00Z")));

        assertThat(diff("mine", "min")).contains("A: mine", "B: mine-3");
    }

    @Test
    void saysWhatIsWrongWithARun() throws IOException {
        SampleRun.quick(1).write(runs, "20261120-110000-quick");

        assertThat(refusal("latest", "latest")).contains("there is nothing to compare");
        assertThat(refusal("previous", "latest")).contains("There is no run 'previous'", "1 run with a results.json");
        assertThat(refusal("full", "latest")).contains("There is no run 'full'", "20261120-110000-quick");
        assertThat(refusal("\0", "latest")).contains("There is no run '\0'");
        SampleRun.quick(2).write(runs, "20261120-120000-quick");
        Path file = runs.resolve("20261120-110000-quick").resolve(ResultsFile.NAME);
        Files.writeString(file, Files.readString(file).replace(ResultsFile.SCHEMA, "chatterbox-results/3"));
        assertThat(refusal("previous", "latest")).contains("chatterbox-results/3", "use the version that wrote it");
    }

    private RunDifference of(String a, String b) {
        Runs found = new Runs(runs);
        return RunDifference.of(found.find(a), found.find(b));
    }

    private String diff(String a, String b) {
        return String.join("\n", of(a, b).lines());
    }

    private String refusal(String a, String b) {
        return catchThrowableOfType(ResultsException.class, () -> of(a, b)).getMessage();
    }
}
