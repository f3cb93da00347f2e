package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.chatterbox.workloads.SliceResult;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class StandaloneSimulationsIT {

    private static final int RUNS_ON_A_BUSY_MACHINE = 4;

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    @TempDir
    Path results;

    /** The latest run's. */
    private Path folder;

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
        assertThat(json.path("variants")).hasSize(2);
        for (JsonNode variant : json.path("variants")) {
            long requests = variant.path("result").path("right").asLong();
            long all = requests;
            for (JsonNode slice : variant.path("warmUp")) {
                all += slice.path("right").asLong();
            }
            assertThat(variant.path("warmUp"))
                    .as("a busy machine may answer none in it")
                    .isNotEmpty();
            assertThat(all).isEqualTo(server.requests(variant.path("variant").asText()));
            assertThat(variant.path("requestsPerSecond").asDouble()).isPositive();
            assertThat(variant.path("latency").path("p50").asDouble()).isPositive();
            // The kernel's clock ticks every 10 ms, and the variant "slow" asks for less.
            double leastCpu = variant.path("variant").asText().equals("right") ? 0.01 : 0;
            assertThat(variant.path("cpuSeconds").asDouble()).isBetween(leastCpu, 2.0 * PROCESSORS);
            assertThat(SliceResult.latency(
                                    variant.path("result").path("latency").binaryValue())
                            .getTotalCount())
                    .isEqualTo(requests);
        }
    }

    /**
     * On a busy machine a request may find no time before the end: then the run says so, and the next one tries again.
     */
    @Test
    void theOpenModelKeepsItsRateOrSaysThatItDidNot() throws Exception {
        long right = 0;
        for (int run = 0; run < RUNS_ON_A_BUSY_MACHINE && right < 4; run++) {
            long before = server.requests("right");
            GatlingProcess.Finished finished =
                    run(OpenModelSimulation.class, Map.of("rate", "4", "transport", "right"));

            assertThat(finished.exitCode()).as(finished.output()).isZero();
            JsonNode variant = json().path("variants").path(0);
            JsonNode warmUp = variant.path("warmUp").path(0);
            right = variant.path("result").path("right").asLong();
            long unsent = unsent(variant.path("result"));
            assertThat(right + unsent).isEqualTo(4);
            assertThat(finished.output().contains("the rate was missed")).isEqualTo(unsent > 0);
            assertThat(warmUp.path("right").asLong() + unsent(warmUp))
                    .as("half a second of warm-up, in which a cold generator may be late")
                    .isEqualTo(2);
            assertThat(server.requests("right") - before)
                    .isEqualTo(right + warmUp.path("right").asLong());
        }

        assertThat(right).as("requests of the best run").isEqualTo(4);
    }

    private static long unsent(JsonNode result) {
        return result.path("failures").path("unsent").asLong();
    }

    @Test
    void failsWhenARequestFailed() throws Exception {
        GatlingProcess.Finished run = run(ClosedModelSimulation.class, Map.of("transport", "some-wrong", "users", "2"));

        assertThat(run.exitCode()).as("Gatling's code for a failed assertion").isEqualTo(2);
        assertThat(run.output()).contains("answer, found wrong: square");
        JsonNode variant = json().path("variants").path(0);
        assertThat(variant.path("result").path("failures").path("wrong").asLong()
                        + variant.path("warmUp")
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
        folder = Files.createTempDirectory(results, "run");
        return GatlingProcess.run(simulation, folder, all);
    }

    private JsonNode json() throws IOException {
        try (Stream<Path> files = Files.walk(folder, 2)) {
            Path file = files.filter(path -> path.endsWith("chatterbox.json"))
                    .findFirst()
                    .orElseThrow();
            assertThat(file.resolveSibling("index.html")).exists();
            return new ObjectMapper().readTree(file.toFile());
        }
    }
}
