package dev.chatterbox.aggregator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the aggregator sends bit by bit comes bit by bit through nginx with its defaults, which speaks HTTP/1.0 to it and
 * collects what fills its buffers.
 */
@Tag("long")
class NginxIT {

    private static final Path NGINX = Path.of("/usr/sbin/nginx");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final int port = Ports.free(1).get(0);

    @TempDir
    private Path directory;

    @Test
    void passesEventsAndLinesOnAsTheyCome() throws Exception {
        assumeTrue(Files.isExecutable(NGINX), "nginx is not installed");
        try (AggregatorProcess aggregator = AggregatorProcess.start("memory", Map.of())) {
            ChildProcess nginx = nginx(aggregator.http().port());
            try {
                passesOn(aggregator.http());
            } finally {
                nginx.stop(Duration.ofSeconds(5));
            }
        }
    }

    private void passesOn(Http aggregator) {
        Http through = new Http(port);
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> through.get("/transports").statusCode() == 200);

        assertTimeoutPreemptively(PATIENCE, () -> {
            try (Stream<String> events = through.lines("/live")) {
                assertThat(events.filter(line -> line.startsWith("data:")).limit(2))
                        .hasSize(2);
            }
            try (Stream<String> squares =
                    through.lines("/memory/square/unary/10000?wait=500ms", "Accept", "application/x-ndjson")) {
                assertThat(squares.iterator().next()).isEqualTo("{\"1\":1}");
                assertThat(aggregator.metric("chatterbox_calls_in_flight", "memory"))
                        .as("calls that are still to be answered when the first line is there")
                        .isPositive();
            }
        });
    }

    private ChildProcess nginx(int aggregator) throws IOException {
        Path configuration = directory.resolve("nginx.conf");
        Files.writeString(configuration, """
                daemon off;
                user root;
                pid nginx.pid;
                events {}
                http {
                  access_log off;
                  server {
                    listen 127.0.0.1:%d;
                    location / { proxy_pass http://127.0.0.1:%d; }
                  }
                }
                """.formatted(port, aggregator));
        return ChildProcess.start(
                "nginx",
                new ProcessBuilder(
                        NGINX.toString(),
                        "-p",
                        directory.toString(),
                        "-e",
                        "error.log",
                        "-c",
                        configuration.toString()),
                directory.resolve("nginx.log"),
                Lifetime.WITH_PARENT);
    }
}
