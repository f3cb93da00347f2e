package dev.chatterbox.report;

import static dev.chatterbox.report.SampleRun.KAFKA;
import static dev.chatterbox.report.SampleRun.NATS;
import static dev.chatterbox.report.SampleRun.REST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.report.tables.Emphasis;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PredictionTextTests {

    private static final String MODEL =
            "unary calls=1,10,100,1000 rate=20%,45%,70%; unary calls=100 rate=20%,45%,70% payload=1024;"
                    + " batch calls=1000 size=10,100 rate=20%,45%,70%";

    @TempDir
    Path folder;

    @Test
    void tellsProcessorsAndLatencyWithTheirRangesTheCheapestRowFirst() throws IOException {
        List<String> lines = lines("unary calls=40 rate=50", sample(MODEL).write(folder, "model"));

        assertThat(lines)
                .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(100))
                .first()
                .asString()
                .isEqualTo(
                        "40 calls a request, 50 requests/s; processors in use, on a machine such as the one that was measured");
        assertThat(lines.stream().filter(line -> line.matches("(nats|kafka|rest) .*–.*–.*")))
                .hasSize(3)
                .first()
                .asString()
                .matches("nats +0\\.\\d+ +0\\.\\d+ +0\\.\\d+ +0\\.\\d+ +0\\.\\d+–0\\.\\d+ +\\S+ +\\S+–\\S+");
        assertThat(String.join(" ", lines).replaceAll(" +", " "))
                .containsPattern("rest: 7 cells of which the model knew other rates lay \\S+ % off")
                .containsPattern("; 9 cells of loads that it knew at no rate lay \\S+ % off")
                .contains("holds that the same may cost 50 % more or less in another hour");
    }

    @Test
    void tellsWhatOneOfEachCostsWithItsInterval() throws IOException {
        List<String> lines = lines("unary calls=40 rate=50", sample(MODEL).write(folder, "model"));

        assertThat(lines.stream()
                        .filter(line -> line.matches("(nats|kafka|rest) +(aggregator|responder|broker) .*±.*")))
                .hasSize(8);
    }

    @Test
    void holdsAnotherHoursSpeed() throws IOException {
        List<String> lines =
                lines("unary calls=40 rate=50", sample(MODEL).noise(0).write(folder, "model"));
        String[] fields = lines.stream()
                .filter(line -> line.startsWith("nats "))
                .findFirst()
                .orElseThrow()
                .split(" +");
        String[] range = fields[5].split("–");

        assertThat(Double.parseDouble(range[1])).isGreaterThanOrEqualTo(1.49 * Double.parseDouble(fields[1]));
        assertThat(Double.parseDouble(range[0])).isLessThanOrEqualTo(Double.parseDouble(fields[1]) / 1.49);
    }

    @Test
    void refusesWhereTheLoadsCannotTellTheCostsApart() throws IOException {
        Path one = sample("unary calls=100 rate=20%,21%,45%,46%,70%,71%").write(folder, "one");

        assertThat(String.join(" ", lines("unary calls=40 rate=50", one))).contains("nats: no prediction, for ");
    }

    @Test
    void saysOfEachRowWhyNothingCanBeSaid() throws IOException {
        Path model = sample(MODEL).write(folder, "model");
        Path closed = sample("unary calls=1,10 users=10").write(folder, "closed");

        assertThat(lines("stream calls=40 rate=50", model))
                .contains("nats: no prediction, for stream was not measured at three rates.");
        assertThat(lines("unary calls=40 rate=50", closed))
                .contains("nats: no prediction, for no load was measured at three rates without a distance.");
    }

    @Test
    void learnsFromSeveralRunsOfOneMachine() throws IOException {
        Path unary = sample("unary calls=1,10,100 rate=20%,45%,70%").write(folder, "unary");
        Path batches = sample("batch calls=100 size=10,100 rate=20%,45%,70%").write(folder, "batches");

        assertThat(lines("batch calls=50 size=10 rate=50", unary, batches))
                .anySatisfy(line -> assertThat(line).startsWith("nats  "));
    }

    @Test
    void answersOverADistanceThatWasNotMeasured() throws IOException {
        Path model = sample(MODEL).write(folder, "model");

        assertThat(lines("unary calls=40 rate=50 distance=100ms", model))
                .anySatisfy(line -> assertThat(line).matches("nats .* 20\\dms +\\S+–\\S+ms"))
                .anySatisfy(line -> assertThat(line).matches("rest .* 10\\dms +\\S+–\\S+ms"));
    }

    @Test
    void learnsNothingFromWhatWasMeasuredOverADistance() throws IOException {
        Path far = sample("unary calls=1,10,100 rate=20%,45%,70% distance=10ms").write(folder, "far");

        assertThat(lines("unary calls=40 rate=50", far))
                .contains("nats: no prediction, for no load was measured at three rates without a distance.");
    }

    @Test
    void saysWhetherAnythingCouldBeSaid() throws IOException {
        Path model = sample(MODEL).write(folder, "model");

        assertThat(text("unary calls=40 rate=50", model).answered()).isTrue();
        assertThat(text("stream calls=40 rate=50", model).answered()).isFalse();
    }

    @Test
    void putsNoRunsTogetherOfDifferentMachines() throws IOException {
        Path one = sample(MODEL).write(folder, "one");
        Path faster = sample(MODEL).processor("a faster processor").write(folder, "faster");
        Path newer = sample(MODEL).jdk("25").write(folder, "newer");

        assertThatThrownBy(() -> text("unary calls=40 rate=50", one, faster))
                .isInstanceOf(ResultsException.class)
                .hasMessage("The runs are of different processors, 2 × a faster processor and 2 × a made-up processor:"
                        + " predict from those of one.");
        assertThatThrownBy(() -> text("unary calls=40 rate=50", one, newer))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("different JDKs, 17.0.15 of Debian and 25 of Debian");
    }

    @Test
    void putsNoRunsTogetherOfARowWithOtherSettings() throws IOException {
        Path one =
                sample(MODEL).setting("rest", "urls", "http://localhost:7575").write(folder, "one");
        Path other = sample(MODEL)
                .setting("nats", "flush", "each")
                .setting("rest", "urls", "http://localhost:7675")
                .write(folder, "other");

        assertThat(lines("unary calls=40 rate=50", one, other))
                .contains("nats: no prediction, for its settings were not the same in these runs.")
                .anySatisfy(line -> assertThat(line).startsWith("rest  "));
    }

    @Test
    void refusesWhatIsNoRun() {
        assertThatThrownBy(() -> lines("unary calls=40 rate=50", folder.resolve("nothing")))
                .isInstanceOf(ResultsException.class);
    }

    private static SampleRun sample(String workloads) {
        return new SampleRun("model", 3, List.of(REST, NATS, KAFKA)).headline(workloads);
    }

    private static List<String> lines(String workload, Path... runs) {
        return text(workload, runs).lines();
    }

    private static PredictionText text(String workload, Path... runs) {
        return PredictionText.of(List.of(runs), Workload.parse(workload), Emphasis.NONE);
    }
}
