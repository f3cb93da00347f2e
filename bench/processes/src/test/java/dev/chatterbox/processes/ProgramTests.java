package dev.chatterbox.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ways beside those that NATS has, which local-brokers tests: a package manager's alone, Go's, a whole folder's.
 */
@DisabledOnOs(OS.WINDOWS)
class ProgramTests {

    private static final String LONG = "lib/" + "a-jar-with-a-long-name-".repeat(6) + ".jar";

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private HttpServer releases;
    private byte[] archive = new byte[0];
    private int downloads;

    @BeforeEach
    void emptyMachine() throws IOException {
        environment.put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        environment.put("PATH", directory.resolve("bin").toString());
        releases = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        releases.createContext("/", exchange -> {
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
    void saysWhichPackageGivesIt() {
        Program rabbit = Program.named("rabbitmq-server")
                .from(
                        ProgramSource.variable("RABBITMQ_SERVER_BIN"),
                        ProgramSource.path("Debian: apt-get install rabbitmq-server"))
                .on(platform());

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
            assertThat(Program.named("toxiproxy-server")
                            .from(ProgramSource.goInstall("example.org/toxiproxy/v2/cmd/server", version))
                            .on(platform())
                            .obtain())
                    .hasFileName("toxiproxy-server-" + version)
                    .content()
                    .contains("example.org/toxiproxy/v2/cmd/server@" + version);
        }
    }

    @Test
    void unpacksAWholeFolderOnceAndKeepsIt() throws IOException {
        archive = tar();
        assertThat(pulsar().origin()).isEqualTo("pulsar 4.0.1, downloaded (400 MB, once)");

        Path program = pulsar().obtain();

        assertThat(program)
                .isEqualTo(directory.resolve("cache/chatterbox/pulsar-4.0.1/bin/pulsar"))
                .hasContent("start")
                .isExecutable();
        Path home = program.getParent().getParent();
        assertThat(home.resolve("conf/standalone.conf")).hasContent("port=1");
        assertThat(Files.isExecutable(home.resolve("conf/standalone.conf"))).isFalse();
        assertThat(home.resolve(LONG)).hasContent("jar");
        assertThat(home.resolve("posix-" + LONG)).hasContent("jar");
        assertThat(pulsar().obtain()).isEqualTo(program);
        assertThat(pulsar().origin()).isEqualTo(program.toString());
        assertThat(downloads).isOne();
        assertThat(directory.resolve("cache/chatterbox")).isDirectoryNotContaining("glob:**/new-*");
    }

    @Test
    void letsTwoProcessesUnpackItAtOnce() throws Exception {
        archive = tar();
        ExecutorService both = Executors.newFixedThreadPool(2);
        try {
            Callable<Path> obtain = () -> pulsar().obtain();
            for (var obtained : both.invokeAll(List.of(obtain, obtain))) {
                assertThat(obtained.get()).hasContent("start");
            }
        } finally {
            both.shutdown();
        }
    }

    @Test
    void writesNothingOutsideOfTheFolder() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream tar = new GZIPOutputStream(bytes)) {
            entry(tar, "apache-pulsar-4.0.1/../../../escaped", "evil", "0000644", '0');
            tar.write(new byte[1024]);
        }
        archive = bytes.toByteArray();

        assertThatThrownBy(() -> pulsar().obtain())
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("leads out of the archive");
        assertThat(directory.resolve("cache/chatterbox")).isEmptyDirectory();
        assertThat(directory.resolve("cache/escaped")).doesNotExist();
    }

    @Test
    void refusesAnArchiveThatBreaksOff() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream tar = new GZIPOutputStream(bytes)) {
            tar.write(header("apache-pulsar-4.0.1/bin/pulsar", 1000, "0000755", '0'));
            tar.write(new byte[10]);
        }
        archive = bytes.toByteArray();

        assertThatThrownBy(() -> pulsar().obtain()).hasMessageContaining("breaks off");
        assertThat(directory.resolve("cache/chatterbox")).isEmptyDirectory();
    }

    private Program pulsar() {
        return Program.named("pulsar")
                .from(ProgramSource.downloadFolder(
                        "4.0.1",
                        "400 MB",
                        "http://localhost:%d/apache-pulsar-4.0.1-"
                                .formatted(releases.getAddress().getPort()),
                        Map.of(ProgramSource.ANY_SYSTEM, sha256(archive)),
                        "bin/pulsar"))
                .on(platform());
    }

    private Platform platform() {
        return new Platform(environment, "Linux amd64");
    }

    private void program(String name, String script) throws IOException {
        Path program = directory.resolve(name);
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\nPATH=/usr/bin:/bin\n" + script);
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    private static byte[] tar() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String top = "apache-pulsar-4.0.1/";
        try (GZIPOutputStream tar = new GZIPOutputStream(bytes)) {
            entry(tar, top, "", "0000755", '5');
            entry(tar, top + "bin/pulsar", "start", "0000755", '0');
            entry(tar, top + "conf/standalone.conf", "port=1", "0000644", '0');
            entry(tar, "././@LongLink", top + LONG + "\0", "0000644", 'L');
            entry(tar, (top + LONG).substring(0, 99), "jar", "0000644", '0');
            String path = "path=" + top + "posix-" + LONG + "\n";
            entry(tar, "header", (path.length() + 4) + " " + path, "0000644", 'x');
            entry(tar, "cut", "jar", "0000644", '0');
            tar.write(new byte[1024]);
        }
        return bytes.toByteArray();
    }

    private static void entry(GZIPOutputStream tar, String name, String content, String mode, char type)
            throws IOException {
        tar.write(header(name, content.length(), mode, type));
        tar.write(content.getBytes(StandardCharsets.US_ASCII));
        tar.write(new byte[(512 - content.length() % 512) % 512]);
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

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
