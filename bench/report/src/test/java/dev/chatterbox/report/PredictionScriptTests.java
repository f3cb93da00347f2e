package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.report.prediction.PredictionOrRefusal;
import dev.chatterbox.report.prediction.Predictor;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The report's sliders calculate the same as the command. Runs their script with Node.js, if it is installed. */
class PredictionScriptTests {

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
        assumeTrue(hasNode(), "There is no Node.js here: the report's sliders are not tested");
        Predictor predictor = new Predictor(List.of(new SampleRun(
                        "model", 6, List.of(SampleRun.REST, SampleRun.NATS, SampleRun.KAFKA))
                .headline("unary calls=1,10,100,1000 rate=20%,45%,70%; unary calls=100 rate=20%,45%,70% payload=1024;"
                        + " batch calls=1000 size=10,100 rate=20%,45%,70%; stream calls=10,1000 rate=20%,45%,70%")
                .results()));

        JsonNode calculated = calculated(predictor);

        for (int i = 0; i < WORKLOADS.size(); i++) {
            for (PredictionOrRefusal answer : predictor.predict(Workload.parse(WORKLOADS.get(i)))) {
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
    private JsonNode calculated(Predictor predictor) throws IOException, InterruptedException {
        List<Map<String, Object>> loads = WORKLOADS.stream()
                .map(Workload::parse)
                .map(workload -> Map.<String, Object>of(
                        "exchange", workload.exchange().text(),
                        "calls", workload.calls(),
                        "size", workload.size(),
                        "rate", Double.parseDouble(workload.load().toString().replace("rate=", "")),
                        "payload", workload.payloadBytes(),
                        "distance", workload.distanceMillis()))
                .toList();
        Path script = folder.resolve("sliders.js");
        Files.writeString(
                script,
                "%s%nconst { cores, rows } = %s;%nconst loads = %s;%nconsole.log(JSON.stringify(loads.map((load) =>%n  Object.fromEntries(rows.map((row) => [row.row, prediction.predict(row, load, cores)])))));%n"
                        .formatted(
                                Templates.asset("prediction.js"),
                                Templates.json(new PredictionSection(predictor).data()),
                                JsonMapper.shared().writeValueAsString(loads)));
        Process node = new ProcessBuilder("node", script.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String json = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor()).isZero();
        return JsonMapper.shared().readTree(json);
    }

    private static boolean hasNode() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(java.io.File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "node")));
    }
}
