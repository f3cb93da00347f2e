package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.Role;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares a stack as if somebody else had started it on another machine; with a real Prometheus where there is one.
 */
@Tag("long")
class TargetIT {

    private final Commands commands = new Commands(Commands.builtCheckout());
    private final List<Process> exporters = new ArrayList<>();

    @TempDir
    Path directory;

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : exporters) {
            process.destroy();
            process.waitFor();
        }
    }

    @Test
    void needsAPrometheus() throws IOException {
        Result result = commands.run("compare", "--target", url());

        assertThat(result.exitCode()).as(result.output()).isEqualTo(2);
        assertThat(result.output())
                .contains(
                        "--target needs --prometheus, a Prometheus that reads the /actuator/prometheus of aggregator");
    }

    @Test
    void knowsNoCostWithoutTheCpuTimeOfABroker() throws IOException {
        int prometheus = prometheus(false);

        Result result = compare("--transports", "nats", "--prometheus", "http://127.0.0.1:" + prometheus);

        assertThat(result.output())
                .contains(
                        "does not know the CPU time of nats, so variants with it have", "a load is sustained for 10 s");
        assertThat(result.exitCode()).as(result.output()).isZero();
        Results results = ResultsFile.read(directory.resolve("out"));
        Cell cell = results.cells().get(0);
        assertThat(cell.slices()).singleElement().satisfies(slice -> {
            assertThat(slice.cpuNanos()).isEmpty();
            assertThat(slice.reasons()).isEmpty();
            assertThat(slice.requests()).isPositive();
        });
        assertThat(cell.doubts()).contains("the CPU time of nats is not known");
        assertThat(results.counts().agree()).isTrue();
    }

    @Test
    void takesTheCostOfEachProcessFromPrometheus() throws Exception {
        int prometheus = prometheus(true);

        Result result =
                compare("--transports", "nats", "--prometheus", "http://127.0.0.1:" + prometheus, "--injectors", "2");

        assertThat(result.exitCode()).as(result.output()).isZero();
        Results results = ResultsFile.read(directory.resolve("out"));
        Cell cell = results.cells().get(0);
        assertThat(cell.slices())
                .singleElement()
                .satisfies(slice -> assertThat(slice.reasons()).isEmpty());
        for (String role : List.of(Role.AGGREGATOR, Role.RESPONDER, Role.BROKER)) {
            assertThat(cell.cpuMicros(role)).as(role).isBetween(0.3, 100.0);
        }
        assertThat(results.counts().agree()).isTrue();
        assertThat(results.counts().responderSquares().get("square-service-nats"))
                .isEqualTo(results.counts().aggregatorCalls().get("nats"));
    }

    @Test
    void saysInOneLineWhyATargetIsNone() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String nobody = "http://127.0.0.1:1";
            Result result = commands.run("compare", "--target", nobody, "--prometheus", nobody);
            assertThat(result.exitCode()).as(result.output()).isEqualTo(2);
            assertThat(result.output()).contains(nobody + " does not answer");
            assertThat(commands.run("compare", "--target", url(), "--prometheus", url())
                            .output())
                    .contains("answers 404 to /api/v1/query");
            assertThat(commands.run("compare", "--target", url(), "--against", "HEAD")
                            .output())
                    .contains("--target does not go with --against");
            assertThat(commands.run("compare", "--match", "a=b").output()).contains("go with --target");
            assertThat(commands.run("compare", "--target", url(), "--coordinate", "127.0.0.1:" + silent.getLocalPort())
                            .output())
                    .contains("--coordinate needs CHATTERBOX_COORDINATE_TOKEN in the environment");
            assertThat(commands.run("compare", "--target", url(), "--prometheus", nobody, "--transports", "grpc")
                            .output())
                    .contains("The variant grpc is not up at", "up are: [kafka, nats, rest]");
        }
    }

    private static String url() {
        return "http://127.0.0.1:" + (8080 + RealStack.offset());
    }

    private Result compare(String... more) {
        List<String> arguments = new ArrayList<>(List.of("compare", "--target", url(), "--preset", "smoke"));
        arguments.addAll(List.of("--calls", "100", "--users", "4", "--time", "5s"));
        arguments.addAll(List.of("--out", directory.resolve("out").toString()));
        arguments.addAll(List.of(more));
        return commands.run(arguments.toArray(String[]::new));
    }

    /**
     * Starts Prometheus, and waits until it knows the stack.
     *
     * @param brokers whether process-exporter shows it the brokers
     */
    private int prometheus(boolean brokers) throws IOException {
        Optional<Path> server = onPath("prometheus");
        Optional<Path> exporter = onPath("prometheus-process-exporter");
        assumeThat(server.isPresent() && exporter.isPresent())
                .as("Debian's packages prometheus and prometheus-process-exporter")
                .isTrue();
        int port = freePort();
        int groups = freePort();
        Path configuration = Files.writeString(directory.resolve("prometheus.yaml"), """
                global: {scrape_interval: 1s}
                scrape_configs:
                  - job_name: services
                    metrics_path: /actuator/prometheus
                    file_sd_configs: [{files: ["%s"]}]
                  - job_name: processes
                    static_configs: [{targets: ["127.0.0.1:%d"]}]
                """.formatted(
                        RealStack.stack().directory().resolve("prometheus.yaml"), groups));
        Path root = Path.of("..", "..").toAbsolutePath().normalize();
        if (brokers) {
            start(
                    exporter.get().toString(),
                    "-config.path=" + root.resolve("compose/process-exporter.yaml"),
                    "-web.listen-address=127.0.0.1:" + groups);
        }
        start(
                server.get().toString(),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port);
        for (String known : List.of(
                "chatterbox_inputs_total",
                "chatterbox_squares_total",
                brokers ? "namedprocess_namegroup_cpu_seconds_total" : "process_cpu_time_ns_total")) {
            await().atMost(Duration.ofMinutes(1))
                    .ignoreExceptions()
                    .until(() -> LocalHttp.get(port, "/api/v1/query?query=" + known)
                            .body()
                            .contains("\"value\""));
        }
        return port;
    }

    private void start(String... command) throws IOException {
        exporters.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log-" + exporters.size()).toFile())
                .start());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Optional<Path> onPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
