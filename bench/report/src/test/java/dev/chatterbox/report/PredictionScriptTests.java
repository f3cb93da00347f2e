package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.report.advice.Adviser;
import dev.chatterbox.report.prediction.PredictionOrRefusal;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The report's sliders calculate the same as the command. Runs their script with Node.js, if it is installed. */
class PredictionScriptTests {

    private static final Rows ROWS = Rows.read(Path.of("..", "..", "rows"));

    private static final List<String> WORKLOADS = List.of(
            "unary calls=40 rate=50",
            "unary calls=1 rate=500",
            "unary calls=100 rate=20 payload=700",
            "batch calls=300 size=7 rate=30",
            "stream calls=900 rate=10",
            "unary calls=5000 rate=1",
            "unary calls=100 rate=20 payload=3000",
            "unary calls=40 rate=20 distance=3ms",
            "unary calls=1000 rate=3 distance=100ms",
            "stream calls=1000 rate=2 distance=100ms",
            "unary calls=100 rate=20 distance=2500ms",
            "unary calls=100 rate=100 distance=400ms",
            "batch calls=100 size=1000 rate=20 payload=1",
            "batch calls=100 size=50 rate=1 payload=1000",
            "unary calls=1000 rate=40");

    @TempDir
    Path folder;

    @Test
    void sayTheSameAsTheCommand() throws IOException, InterruptedException {
        assumeTrue(NodeScript.isInstalled(), "There is no Node.js here: the report's sliders are not tested");
        Adviser adviser = new Adviser(
                new SampleRun("model", 6, List.of(SampleRun.REST, SampleRun.NATS, SampleRun.KAFKA))
                        .headline(
                                "unary calls=1,10,100,1000 rate=20%,45%,70%; unary calls=100 rate=20%,45%,70% payload=1024;"
                                        + " batch calls=1000 size=10,100 rate=20%,45%,70%; stream calls=10,1000 rate=20%,45%,70%")
                        .results(),
                ROWS);

        JsonNode calculated = calculated(adviser);

        for (int i = 0; i < WORKLOADS.size(); i++) {
            for (PredictionOrRefusal answer : adviser.predictor().predict(Workload.parse(WORKLOADS.get(i)))) {
                JsonNode same = calculated.path(i).path(answer.row());
                assertThat(same.has("refusal"))
                        .as(WORKLOADS.get(i) + ": " + answer.refusal())
                        .isEqualTo(answer.prediction().isEmpty());
                answer.prediction().ifPresent(prediction -> {
                    close(same.path("system"), prediction.system().value());
                    prediction
                            .cores()
                            .forEach((role, cores) -> close(same.path("cores").path(role), cores));
                    prediction.p50().ifPresent(p50 -> close(same.path("p50"), p50.value()));
                    assertThat(same.path("p50").isNull())
                            .isEqualTo(prediction.p50().isEmpty());
                });
            }
        }
    }

    private static void close(JsonNode calculated, double value) {
        assertThat(calculated.asDouble()).isCloseTo(value, within(1e-9 + 1e-6 * value));
    }

    /** The predictions of the script, by workload and by row. */
    private JsonNode calculated(Adviser adviser) throws IOException, InterruptedException {
        List<Map<String, Object>> loads = WORKLOADS.stream()
                .map(Workload::parse)
                .map(PredictionScriptTests::load)
                .toList();
        return NodeScript.calculated(
                folder,
                new PredictionSection(adviser),
                loads,
                "input.map((load) => Object.fromEntries(data.rows.map((row) =>"
                        + " [row.row, prediction.predict(row, load, data.cores)])))");
    }

    /** A workload as the page's form has it. */
    static Map<String, Object> load(Workload workload) {
        return Map.of(
                "exchange", workload.exchange().text(),
                "calls", workload.calls(),
                "size", workload.size(),
                "rate", ((Load.Rate) workload.load()).perSecond(),
                "payload", workload.payloadBytes(),
                "distance", workload.distanceMillis());
    }
}
