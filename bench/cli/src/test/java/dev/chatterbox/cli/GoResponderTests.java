package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.processes.programs.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/adding-a-responder.md is built and asked, where Go is. */
@Tag("long")
class GoResponderTests {

    private final HttpClient http = HttpClient.newHttpClient();

    private Process responder;
    private int port;

    @BeforeEach
    void buildAndStart(@TempDir Path folder) throws Exception {
        assumeThat(Platform.current().onPath("go")).as("go on the PATH").isPresent();
        String page = Files.readString(Path.of("..", "..", "docs", "adding-a-responder.md"));
        Files.writeString(folder.resolve("main.go"), fence(page, "go", "package main"));
        Files.writeString(folder.resolve("go.mod"), fence(page, "text", "module "));
        Process build = new ProcessBuilder("go", "build", "-o", "responder", ".")
                .directory(folder.toFile())
                .inheritIO()
                .start();
        assertThat(build.waitFor()).isZero();

        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        ProcessBuilder program =
                new ProcessBuilder(folder.resolve("responder").toString(), "--chatterbox.process=in-go").inheritIO();
        program.environment().putAll(Map.of("PORT", String.valueOf(port), "CHATTERBOX_RESPONDER", "in-go"));
        responder = program.start();
        await().atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .until(() -> get("/health").statusCode() == 200);
    }

    @AfterEach
    void stop() {
        if (responder != null) {
            responder.destroyForcibly();
        }
    }

    @Test
    void answersSquaresAndCountsThem() throws Exception {
        assertThat(get("/api/square/unary/46341").body()).isEqualTo("2147488281");
        assertThat(get("/api/square/unary/2147483647").body()).isEqualTo("4611686014132420609");
        assertThat(get("/api/square/unary/2147483648").statusCode()).isEqualTo(400);
        assertThat(get("/api/square/unary/007").body()).contains("1 to 2147483647", "007");
        assertThat(get("/metrics").body())
                .contains(
                        "chatterbox_squares_total{responder=\"in-go\",outcome=\"ok\"} 2\n",
                        "chatterbox_squares_total{responder=\"in-go\",outcome=\"invalid\"} 2\n");
    }

    private static String fence(String page, String language, String begin) {
        return DocsTests.fences(page, language)
                .filter(text -> text.startsWith(begin))
                .findFirst()
                .orElseThrow();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:%d%s".formatted(port, path));
        return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
}
