package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandaloneSimulationsIT {

    @TempDir
    Path results;

    private final TinyServer server = new TinyServer();

    StandaloneSimulationsIT() throws IOException {}

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theClosedModelMeasuresOneTransportAfterTheOther() throws Exception {
        GatlingProcess.Finished run = run(ClosedModelSimulation.class, Map.of("users", "3"));

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output())
                .contains("workload        unary calls=10 users=3", "transport       right, slow", "right: measuring");
        JsonNode json = json();
        assertThat(json.path("schema").asText()).isEqualTo("chatterbox-load/3");
        assertThat(json.path("plan").path("model").asText()).isEqualTo("closed");
        assertThat(json.path("plan").path("baseUrl").asText()).isEqualTo(server.url());
        assertThat(json.path("rows")).hasSize(2);
        for (JsonNode row : json.path("rows")) {
            long requests = row.path("result").path("right").asLong();
            long all = requests;
            for (JsonNode slice : row.path("warmUp")) {
                all += slice.path("right").asLong();
            }
            assertThat(all).isEqualTo(server.requests(row.path("row").asText())).isGreaterThan(requests);
            assertThat(row.path("requestsPerSecond").asDouble()).isPositive();
            assertThat(row.path("latency").path("p50").asDouble()).isPositive();
            assertThat(row.path("cpuSeconds").asDouble()).isPositive();
            assertThat(Tally.decode(row.path("result").path("latency").asText()).getTotalCount())
                    .isEqualTo(requests);
        }
    }

    @Test
    void theOpenModelKeepsItsRate() throws Exception {
        GatlingProcess.Finished run = run(OpenModelSimulation.class, Map.of("rate", "40", "transport", "right"));

        assertThat(run.exitCode()).as(run.output()).isZero();
        JsonNode row = json().path("rows").path(0);
        assertThat(row.path("result").path("right").asLong()).isEqualTo(40);
        assertThat(run.output()).doesNotContain("the rate was missed");
        JsonNode warmUp = row.path("warmUp").path(0);
        assertThat(warmUp.path("right").asLong()
                        + warmUp.path("failures").path("unsent").asLong())
                .as("half a second of warm-up, in which a cold generator may be late")
                .isEqualTo(20);
        assertThat(server.requests("right")).isEqualTo(40 + warmUp.path("right").asLong());
    }

    @Test
    void failsWhenARequestFailed() throws Exception {
        GatlingProcess.Finished run = run(ClosedModelSimulation.class, Map.of("transport", "some-wrong", "users", "2"));

        assertThat(run.exitCode()).as("Gatling's code for a failed assertion").isEqualTo(2);
        assertThat(run.output()).contains("answer, found wrong: square");
        JsonNode row = json().path("rows").path(0);
        assertThat(row.path("result").path("failures").path("wrong").asLong()
                        + row.path("warmUp")
                                .path(0)
                                .path("failures")
                                .path("wrong")
                                .asLong())
                .isEqualTo(server.requests("some-wrong") / 10);
    }

    @Test
    void refusesASettingBeforeItSendsAnything() throws Exception {
        GatlingProcess.Finished run = run(ClosedModelSimulation.class, Map.of("transport", "right", "users", "none"));

        assertThat(run.exitCode()).isNotZero();
        assertThat(run.output()).contains("users must be a whole number, but it is 'none'");
        assertThat(server.requests("right")).isZero();
    }

    /** A proxy stands for the internet: whatever asks for the internet would come to this socket. */
    @Test
    void asksNothingOfTheWorldOutside() throws Exception {
        try (ServerSocket outside = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(outside.getLocalPort());
            GatlingProcess.Finished run = run(
                    ClosedModelSimulation.class,
                    Map.of(
                            "transport", "right",
                            "users", "1",
                            "https.proxyHost", "127.0.0.1",
                            "https.proxyPort", port,
                            "http.proxyHost", "127.0.0.1",
                            "http.proxyPort", port));

            assertThat(run.exitCode()).as(run.output()).isZero();
            outside.setSoTimeout(1);
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .as("nobody came")
                    .isThrownBy(outside::accept);
        }
    }

    private GatlingProcess.Finished run(Class<?> simulation, Map<String, String> properties) throws Exception {
        Map<String, String> all =
                new HashMap<>(Map.of("baseUrl", server.url(), "calls", "10", "duration", "1s", "warmUp", "500ms"));
        all.putAll(properties);
        return GatlingProcess.run(simulation, results, all);
    }

    private JsonNode json() throws IOException {
        try (Stream<Path> files = Files.walk(results, 2)) {
            Path file = files.filter(path -> path.endsWith("chatterbox.json"))
                    .findFirst()
                    .orElseThrow();
            assertThat(file.resolveSibling("index.html")).exists();
            return new ObjectMapper().readTree(file.toFile());
        }
    }
}
