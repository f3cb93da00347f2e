package dev.chatterbox.processes.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.chatterbox.processes.ProcessException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
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
        Program rabbit = new Program(
                "rabbitmq-server",
                platform(),
                List.of(
                        ProgramSource.variable("RABBITMQ_SERVER_BIN"),
                        ProgramSource.path("Debian: apt-get install rabbitmq-server")));

        assertThatThrownBy(rabbit::obtain).isInstanceOf(ProcessException.class).hasMessage("""
                        rabbitmq-server is not on this platform.
                        Any one of these gives it:
                          - set RABBITMQ_SERVER_BIN to a rabbitmq-server program
                          - put rabbitmq-server on the PATH (Debian: apt-get install rabbitmq-server)""");
        assertThatThrownBy(rabbit::origin).isInstanceOf(ProcessException.class);
    }

    @Test
    void keepsVersionsApartOfAProgramThatGoCallsOtherwise() throws IOException {
        program("bin/go", "echo \"$2\" > \"$GOBIN/server\"; chmod +x \"$GOBIN/server\"");

        for (String version : List.of("v2.12.0", "v2.13.0")) {
            assertThat(new Program(
                                    "toxiproxy-server",
                                    platform(),
                                    List.of(ProgramSource.goInstall("example.org/toxiproxy/v2/cmd/server", version)))
                            .obtain())
                    .hasFileName("toxiproxy-server-" + version)
                    .content()
                    .contains("example.org/toxiproxy/v2/cmd/server@" + version);
        }
    }

    @Test
    void refusesAnArchiveThatBreaksOff() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream tar = new GZIPOutputStream(bytes)) {
            tar.write(header("apache-pulsar-4.0.1/bin/pulsar", 1000, "0000755", '0'));
            tar.write(new byte[10]);
        }
        archive = bytes.toByteArray();

        assertThatThrownBy(() -> pulsar(Duration.ofMinutes(1)).obtain())
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("The download failed", "Truncated");
        assertThat(directory.resolve("cache/chatterbox")).isEmptyDirectory();
    }

    @Test
    void refusesAnArchiveWithoutTheProgram() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream tar = new GZIPOutputStream(bytes)) {
            tar.write(header("apache-pulsar-4.0.1/bin/bookkeeper", 0, "0000755", '0'));
            tar.write(new byte[1024]);
        }
        archive = bytes.toByteArray();

        assertThatThrownBy(() -> pulsar(Duration.ofMinutes(1)).obtain())
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("no pulsar in the archive");
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
        return new Program("pulsar", platform(), List.of(new Download("4.0.1", "400 MB", address, checksums, timeout)));
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

    private static byte[] header(String name, int length, String mode, char type) {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 100, mode);
        put(header, 124, "%011o".formatted(length));
        header[156] = (byte) type;
        return header;
    }

    private static void put(byte[] header, int offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, offset, bytes.length);
    }
}
