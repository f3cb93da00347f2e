package dev.chatterbox.processes.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.codec.digest.DigestUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the tests of NATS leave out: package managers, Go, and downloads that fail. */
class ProgramTests {

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private HttpServer releases;
    private byte[] archive = new byte[0];
    private int promised;

    @BeforeEach
    void emptyMachine() throws IOException {
        environment.put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        environment.put("PATH", directory.resolve("bin").toString());
        releases = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        releases.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, Math.max(promised, archive.length));
            exchange.getResponseBody().write(archive);
            exchange.getResponseBody().flush();
            if (promised == 0) {
                exchange.close();
            }
        });
        releases.start();
    }

    @AfterEach
    void stopReleases() {
        releases.stop(0);
    }

    @Test
    void saysWhichPackageGivesIt() {
        Program rabbit = Program.of(
                        "rabbitmq-server",
                        "RABBITMQ_SERVER_BIN",
                        "Debian: apt-get install rabbitmq-server",
                        Program.PATH)
                .on(platform());

        assertThatThrownBy(rabbit::obtain).isInstanceOf(ProcessException.class).hasMessage("""
                        rabbitmq-server is not on this platform.
                        Any one of these gives it:
                          - set RABBITMQ_SERVER_BIN to a rabbitmq-server program, or to its folder
                          - put rabbitmq-server on the PATH (Debian: apt-get install rabbitmq-server)""");
        assertThatThrownBy(rabbit::origin).isInstanceOf(ProcessException.class);
    }

    @Test
    void keepsVersionsApartOfAProgramThatGoCallsOtherwise() throws IOException {
        program("bin/go", "echo \"$2\" > \"$GOBIN/server\"; chmod +x \"$GOBIN/server\"");

        for (String version : List.of("v2.12.0", "v2.13.0")) {
            assertThat(Program.of("toxiproxy-server", "TOXIPROXY_BIN", "somewhere", Program.PATH)
                            .built("example.org/toxiproxy/v2/cmd/server", version)
                            .on(platform())
                            .obtain())
                    .hasFileName("toxiproxy-server-" + version)
                    .content()
                    .contains("example.org/toxiproxy/v2/cmd/server@" + version);
        }
    }

    @Test
    void refusesAnArchiveThatBreaksOff() throws IOException {
        byte[] whole = tar("pulsar");
        archive = Arrays.copyOf(whole, whole.length / 2);

        assertThatThrownBy(() -> pulsar(Duration.ofMinutes(1)).obtain())
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("The download failed", "tar failed");
        assertThat(directory.resolve("cache/chatterbox")).isEmptyDirectory();
    }

    @Test
    void refusesAnArchiveWithoutTheProgram() throws IOException {
        archive = tar("bookkeeper");

        assertThatThrownBy(() -> pulsar(Duration.ofMinutes(1)).obtain())
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("no pulsar came of it");
        assertThat(directory.resolve("cache/chatterbox")).isEmptyDirectory();
    }

    /** Headers and a part of the archive come at once, and the rest never. */
    @Test
    @Timeout(60)
    void waitsNoLongerThanItsTimeoutForADownloadThatStalls() {
        archive = new byte[100];
        promised = 1000;

        assertThatThrownBy(() -> pulsar(Duration.ofMillis(300)).obtain())
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("The download failed", "was not answered in PT0.3S");
        assertThat(directory.resolve("cache/chatterbox")).isEmptyDirectory();
    }

    private Program pulsar(Duration timeout) {
        String address = "http://localhost:%d/apache-pulsar-4.0.1-"
                .formatted(releases.getAddress().getPort());
        Map<String, String> checksums = Map.of("linux-amd64.tar.gz", DigestUtils.sha256Hex(archive));
        return Program.of("pulsar", "PULSAR_BIN", "somewhere", Program.PATH)
                .from(new Download("4.0.1", "400 MB", address, checksums, timeout))
                .on(platform());
    }

    private Platform platform() {
        return new Platform(environment, "amd64");
    }

    private void program(String name, String script) throws IOException {
        Path program = directory.resolve(name);
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\nPATH=/usr/bin:/bin\n" + script);
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    /** An archive with a folder that has one file. */
    private byte[] tar(String file) throws IOException {
        Path folder = Files.createDirectories(directory.resolve("apache-pulsar-4.0.1"));
        Files.writeString(folder.resolve(file), "a program");
        Path tar = directory.resolve("archive.tar.gz");
        Command.run(
                Duration.ofMinutes(1),
                List.of(
                        "tar",
                        "-czf",
                        tar.toString(),
                        "-C",
                        directory.toString(),
                        folder.getFileName().toString()));
        return Files.readAllBytes(tar);
    }
}
