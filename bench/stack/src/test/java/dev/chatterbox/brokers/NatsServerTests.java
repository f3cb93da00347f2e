package dev.chatterbox.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Platform;
import dev.chatterbox.processes.programs.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NatsServerTests {

    private static final String DOWNLOADED = "downloaded";

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private HttpServer releases;
    private byte[] archive = new byte[0];
    private int downloads;

    @BeforeEach
    void emptyMachine() throws IOException {
        environment.put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        environment.put("PATH", directory.resolve("bin") + ":");
        releases = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        releases.createContext("/v2.14.5/", exchange -> {
            downloads++;
            exchange.sendResponseHeaders(200, archive.length);
            exchange.getResponseBody().write(archive);
            exchange.close();
        });
        releases.start();
    }

    @AfterEach
    void stopReleases() {
        releases.stop(0);
    }

    @Test
    void prefersTheProgramThatTheUserChose() throws IOException {
        program("bin/nats-server", "");
        Path chosen = program("mine", "");
        environment.put("NATS_SERVER_BIN", chosen.toString());

        assertThat(binary("amd64").obtain()).isEqualTo(chosen);
        assertThat(binary("amd64").origin()).isEqualTo(chosen.toString());
    }

    @Test
    void doesNotPassOverAWrongChoice() throws IOException {
        program("bin/nats-server", "");
        environment.put("NATS_SERVER_BIN", directory.resolve("gone").toString());

        assertThatThrownBy(() -> binary("amd64").obtain())
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("NATS_SERVER_BIN is set to " + directory.resolve("gone"));
    }

    @Test
    void takesTheOneOnThePath() throws IOException {
        Path program = program("bin/nats-server", "");

        assertThat(binary("amd64").obtain()).isEqualTo(program);
    }

    @Test
    void buildsItWithGoOnceAndKeepsIt() throws IOException {
        Path go = program("bin/go", """
                [ "$1 $2" = "install github.com/nats-io/nats-server/v2@v2.15.2" ] || exit 1
                echo built > "$GOBIN/nats-server"
                chmod +x "$GOBIN/nats-server"
                """);
        assertThat(binary("amd64").origin()).contains("v2.15.2", "go install");

        Path built = binary("amd64").obtain();
        Files.delete(go);

        assertThat(built).hasContent("built").isEqualTo(cache("nats-server-v2.15.2"));
        assertThat(binary("amd64").obtain()).isEqualTo(built);
        assertThatCacheHoldsOnly(built);
    }

    @Test
    void downloadsItWhereGoFails() throws IOException {
        program("bin/go", "echo no network; exit 1");
        archive = tar();

        assertThat(binary("aarch64").obtain()).hasContent(DOWNLOADED);
    }

    @Test
    void downloadsItOnceAndKeepsIt() throws IOException {
        archive = tar();
        assertThat(binary("aarch64").origin()).contains("v2.14.5", "downloaded");

        Path downloaded = binary("aarch64").obtain();

        assertThat(downloaded).hasContent(DOWNLOADED).isExecutable().isEqualTo(cache("nats-server-v2.14.5"));
        assertThat(binary("aarch64").obtain()).isEqualTo(downloaded);
        assertThat(downloads).isOne();
        assertThatCacheHoldsOnly(downloaded);
    }

    @Test
    void refusesADownloadWithAnotherChecksum() throws IOException {
        archive = tar();
        Program binary = binary("aarch64");
        archive = "something else".getBytes(StandardCharsets.US_ASCII);

        assertThatThrownBy(binary::obtain)
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("does not have the pinned SHA-256")
                .hasMessageContaining("NATS_SERVER_BIN");
        assertThat(cache("nats-server-v2.14.5")).doesNotExist();
    }

    @Test
    void listsTheWaysWhereNoneWorks() throws IOException {
        program("bin/go", "echo no network; exit 1");

        assertThatThrownBy(() -> binary("riscv64").obtain())
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("bin/go failed", "no network")
                .hasMessageContaining("NATS_SERVER_BIN")
                .hasMessageContaining("PATH")
                .hasMessageContaining("Go");
        Files.delete(directory.resolve("bin/go"));
        assertThatThrownBy(() -> binary("riscv64").origin()).hasMessageContaining("NATS_SERVER_BIN");
    }

    @Test
    void letsTwoProcessesFetchItAtOnce() throws Exception {
        archive = tar();
        ExecutorService both = Executors.newFixedThreadPool(2);
        try {
            Callable<Path> obtain = () -> binary("amd64").obtain();
            for (var obtained : both.invokeAll(List.of(obtain, obtain))) {
                assertThat(obtained.get()).hasContent(DOWNLOADED);
            }
        } finally {
            both.shutdown();
        }
        assertThatCacheHoldsOnly(cache("nats-server-v2.14.5"));
    }

    private Program binary(String processor) {
        String checksum = sha256(archive);
        return NatsServer.program(
                        "http://localhost:" + releases.getAddress().getPort(),
                        Map.of("linux-amd64.tar.gz", checksum, "linux-arm64.tar.gz", checksum))
                .on(new Platform(environment, processor));
    }

    private Path cache(String file) {
        return directory.resolve("cache/chatterbox").resolve(file);
    }

    private void assertThatCacheHoldsOnly(Path file) throws IOException {
        try (Stream<Path> files = Files.list(file.getParent())) {
            assertThat(files).containsExactly(file);
        }
    }

    private Path program(String name, String script) throws IOException {
        Path program = directory.resolve(name);
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\n" + script);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    /** An archive like those of the releases: a folder, a file with another name, and the program. */
    private byte[] tar() throws IOException {
        Path folder = Files.createDirectories(directory.resolve("releases/nats-server-v2.14.5-linux-arm64"));
        Files.writeString(folder.resolve("README.md"), "read me".repeat(100));
        Path program = Files.writeString(folder.resolve("nats-server"), DOWNLOADED);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path tar = directory.resolve("releases/archive.tar.gz");
        Command.run(
                Duration.ofMinutes(1),
                List.of(
                        "tar",
                        "-czf",
                        tar.toString(),
                        "-C",
                        folder.getParent().toString(),
                        folder.getFileName().toString()));
        return Files.readAllBytes(tar);
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
