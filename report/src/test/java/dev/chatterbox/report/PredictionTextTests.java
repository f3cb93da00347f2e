package dev.chatterbox.report;

import static dev.chatterbox.report.SampleResults.KAFKA;
import static dev.chatterbox.report.SampleResults.NATS;
import static dev.chatterbox.report.SampleResults.REST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
                        "40 calls a request and 50 requests/s, on a machine such as the one that was measured (2 cores).");
        assertThat(lines.stream().filter(line -> line.matches("(nats|kafka|rest) .*–.*–.*")))
                .hasSize(3)
                .first()
                .asString()
                .matches("nats +0\\.\\d+ +0\\.\\d+ +0\\.\\d+ +0\\.\\d+ +0\\.\\d+–0\\.\\d+ +\\S+ +\\S+–\\S+");
        assertThat(String.join("\n", lines)).contains("rest: 7 cells that the model had not seen lay ");
    }

    @Test
    void saysOfEachRowWhyNothingCanBeSaid() throws IOException {
        Path model = sample(MODEL).write(folder, "model");
        Path closed = sample("unary calls=1,10 users=10").write(folder, "closed");

        assertThat(lines("stream calls=40 rate=50", model))
                .contains("nats: no prediction, for stream was not measured in the open model.");
        assertThat(lines("unary calls=40 rate=50", closed))
                .contains("nats: no prediction, for no load of the open model was measured at three rates.");
    }

    @Test
    void learnsFromSeveralRunsOfOneMachine() throws IOException {
        Path unary = sample("unary calls=1,10,100 rate=20%,45%,70%").write(folder, "unary");
        Path batches = sample("batch calls=100 size=10,100 rate=20%,45%,70%").write(folder, "batches");

        assertThat(lines("batch calls=50 size=10 rate=50", unary, batches))
                .anySatisfy(line -> assertThat(line).startsWith("nats  "));
    }

    @Test
    void refusesWhatIsNoRun() {
        assertThatThrownBy(() -> lines("unary calls=40 rate=50", folder.resolve("nothing")))
                .isInstanceOf(ResultsException.class);
    }

    private static SampleResults sample(String workloads) {
        return SampleResults.of("model", 3, REST, NATS, KAFKA).rounds(2).workloads(workloads);
    }

    private static List<String> lines(String workload, Path... runs) {
        return PredictionText.lines(List.of(runs), Workload.parse(workload), Ink.NONE);
    }
}
