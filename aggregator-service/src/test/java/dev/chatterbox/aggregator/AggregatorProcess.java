package dev.chatterbox.aggregator;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.stack.Repository;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;

/**
 * An aggregator as a process on a free port, for tests of its output and its costs.
 *
 * @param process its log holds everything that the aggregator printed
 * @param http sends requests to it
 */
public record AggregatorProcess(ChildProcess process, Http http) implements AutoCloseable {

    /**
     * Starts one, and waits until it answers over HTTP.
     *
     * @param variants with commas between them
     */
    public static AggregatorProcess start(String variants, Map<String, String> environment) {
        int port = Ports.free(1).get(0);
        ProcessBuilder builder = new ProcessBuilder(
                JavaCommand.of(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-jar", jar().toString())));
        builder.environment().putAll(environment);
        builder.environment().put("SERVER_PORT", Integer.toString(port));
        builder.environment().put("CHATTERBOX_TRANSPORTS", variants);
        Path log = Path.of("target", "aggregators", port + ".log");
        ChildProcess process = ChildProcess.start("aggregator-service", builder, log, Lifetime.WITH_PARENT);
        AggregatorProcess started = new AggregatorProcess(process, new Http(port));
        process.awaitReady(started::answers, Duration.ofMinutes(3));
        return started;
    }

    private boolean answers() throws IOException {
        try {
            return http.get("/transports").statusCode() == 200;
        } catch (CompletionException e) {
            throw new IOException(e);
        }
    }

    private static Path jar() {
        return Repository.jar(Path.of(""), "target/aggregator-service-*-exec.jar");
    }

    /** The processor time since the start of the process. */
    public Duration cpuTime() {
        return ProcessHandle.of(process.pid())
                .orElseThrow()
                .info()
                .totalCpuDuration()
                .orElseThrow();
    }

    @Override
    public void close() {
        process.stop(Duration.ofSeconds(8));
    }
}
