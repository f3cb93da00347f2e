package dev.chatterbox.aggregator;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/** A square service as it is delivered: its runnable jar, as a process. */
public final class RealResponder implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final ChildProcess process;
    private final int port;

    private RealResponder(ChildProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts one, and waits until it is healthy: it is then connected to its broker. */
    public static RealResponder start(String transport, Map<String, String> environment) {
        int port = Ports.free(1).get(0);
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-jar",
                jar("square-service-" + transport).toString());
        builder.environment().putAll(environment);
        builder.environment().put("SERVER_PORT", Integer.toString(port));
        Path log = Path.of("target", "responders", transport + "-" + port + ".log");
        ChildProcess process = ChildProcess.start("square-service-" + transport, builder, log, Lifetime.WITH_PARENT);
        process.awaitReady(() -> get(port, "/actuator/health").statusCode() == 200, Duration.ofSeconds(90));
        return new RealResponder(process, port);
    }

    private static Path jar(String module) {
        Path target = Path.of("..", module, "target");
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.getFileName().toString().endsWith("-exec.jar"))
                    .findFirst()
                    .orElseThrow();
        } catch (Exception e) {
            throw new IllegalStateException("Build it first: mvn -pl " + module + " -am package -DskipTests", e);
        }
    }

    private static HttpResponse<String> get(int port, String path) throws IOException {
        try {
            return HTTP.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .timeout(Duration.ofSeconds(5))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    public int port() {
        return port;
    }

    /** How many requests it says that it answered rightly. */
    public long answered() {
        try {
            return get(port, "/actuator/prometheus")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("chatterbox_squares_total") && line.contains("outcome=\"ok\""))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As a crash would end it. */
    public void kill() {
        process.stop(Duration.ZERO);
    }

    @Override
    public void close() {
        process.stop(Duration.ofSeconds(8));
    }
}
