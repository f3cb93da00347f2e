package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.ProcessException;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Where the program nats-server comes from. In this order: {@code NATS_SERVER_BIN}, the PATH, our cache, built by {@code go
 * install}, downloaded as an official release. What is built or downloaded is cached.
 */
final class NatsServerBinary {

    private static final String BUILT_VERSION = "v2.15.2";

    // Older than what is built: a release's checksums stand beside the download itself, so they prove nothing. These
    // come from another repository of the project, nats-io/nats-docker, which has no newer version, and no macOS.
    private static final String DOWNLOADED_VERSION = "v2.14.5";

    private static final Map<String, String> SHA_256 = Map.of(
            "linux-amd64.tar.gz", "5e3b603d47c447bda1f77f9ac16dbf91c90aac4ff3681f8fbbc7201e4ed99355",
            "linux-arm64.tar.gz", "673a98d3faa79dde3f9ebf16d6dfac36a5f694e7ad2015e4954dd7939c85cd4c",
            "linux-arm6.tar.gz", "e0c6a5ce708c7a57cae5008805397046f6502c627cdc00bfff33af0929d07d50",
            "linux-ppc64le.tar.gz", "5d8f1a264a3bc4b30899814ae8e898b1268e817074635adddd24b32f388e4cc4",
            "linux-s390x.tar.gz", "829193e8c592e0df5f15402c27417df18d26503d22b77dfc9491982fe0b51a67",
            "windows-amd64.zip", "f66f840a211ab665083b88e9b7edbcf6296cda143be47e53e6f6bb8520692bbb");

    /** A minute on two processors; and Go may have to fetch a newer Go first. */
    private static final Duration BUILD_TIMEOUT = Duration.ofMinutes(10);

    private static final String RELEASES = "https://github.com/nats-io/nats-server/releases/download";

    private static final String WAYS = """
            Any one of these gives it:
              - set NATS_SERVER_BIN to a nats-server program
              - put nats-server on the PATH (macOS: brew install nats-server)
              - put Go on the PATH (https://go.dev/dl): it is then built, once""";

    private final Map<String, String> environment;
    private final String system;
    private final String releases;
    private final Map<String, String> checksums;

    /**
     * For tests, which bring their own releases.
     *
     * @param environment the environment variables
     * @param system the values of os.name and os.arch, separated by a blank
     * @param releases the address under which the versions' folders are
     * @param checksums SHA-256 of the archives, by the end of their names
     */
    NatsServerBinary(Map<String, String> environment, String system, String releases, Map<String, String> checksums) {
        this.environment = environment;
        this.system = system.toLowerCase(Locale.ROOT);
        this.releases = releases;
        this.checksums = checksums;
    }

    static NatsServerBinary ofThisMachine() {
        return new NatsServerBinary(
                System.getenv(),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                RELEASES,
                SHA_256);
    }

    /** One line for people: which program will run, or how it will be obtained. */
    String origin() {
        return present()
                .map(Path::toString)
                .or(() -> onPath("go")
                        .map(go -> "nats-server " + BUILT_VERSION + ", built by `go install` (about a minute, once)"))
                .or(() -> archive().map(archive -> "nats-server " + DOWNLOADED_VERSION + ", downloaded (6 MB, once)"))
                .orElseThrow(() -> new ProcessException("nats-server is not on this machine. " + WAYS));
    }

    /**
     * Finds or fetches it; that may take a minute, the first time.
     *
     * @return an executable file
     * @throws ProcessException no way works
     */
    Path obtain() {
        return present().orElseGet(this::fetch);
    }

    private Optional<Path> present() {
        String chosen = environment.get("NATS_SERVER_BIN");
        if (chosen != null && !chosen.isBlank()) {
            Path program = Path.of(chosen).toAbsolutePath();
            if (!isProgram(program)) {
                throw new ProcessException(
                        "NATS_SERVER_BIN is set to %s, which is not an executable file. Correct or unset it."
                                .formatted(chosen));
            }
            return Optional.of(program);
        }
        return onPath("nats-server")
                .or(() -> Stream.of(BUILT_VERSION, DOWNLOADED_VERSION)
                        .map(this::cached)
                        .filter(NatsServerBinary::isProgram)
                        .findFirst());
    }

    private Path fetch() {
        StringBuilder tried = new StringBuilder();
        Optional<Path> go = onPath("go");
        Optional<String> archive = archive();
        try {
            if (go.isPresent()) {
                return build(go.get());
            }
        } catch (IOException e) {
            tried.append("%n`go install` failed: %s".formatted(e.getMessage()));
        }
        try {
            if (archive.isPresent()) {
                return download(archive.get());
            }
        } catch (IOException e) {
            tried.append("%nThe download failed: %s".formatted(e));
        }
        throw new ProcessException("nats-server is not on this machine.%s%n%s".formatted(tried, WAYS));
    }

    private Path build(Path go) throws IOException {
        return intoCache(BUILT_VERSION, directory -> {
            ProcessBuilder builder =
                    new ProcessBuilder(go.toString(), "install", "github.com/nats-io/nats-server/v2@" + BUILT_VERSION);
            builder.environment().put("GOBIN", directory.toString());
            ChildProcess process = ChildProcess.start("go", builder, directory.resolve("go.log"), Lifetime.WITH_PARENT);
            boolean ended = process.endsWithin(BUILD_TIMEOUT);
            process.stop(Duration.ZERO);
            if (!ended || !isProgram(directory.resolve(executable("nats-server")))) {
                throw new IOException(ended ? String.join("\n  ", process.tail(10)) : "not done in " + BUILD_TIMEOUT);
            }
        });
    }

    private Path download(String archive) throws IOException {
        String file = "nats-server-" + DOWNLOADED_VERSION + "-" + archive;
        URI address = URI.create(releases + "/" + DOWNLOADED_VERSION + "/" + file);
        HttpRequest request =
                HttpRequest.newBuilder(address).timeout(Duration.ofMinutes(5)).build();
        byte[] content;
        try {
            HttpResponse<byte[]> response = HttpClient.newBuilder()
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .connectTimeout(Duration.ofSeconds(10))
                    .build()
                    .send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IOException("%s answered %d".formatted(address, response.statusCode()));
            }
            content = response.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (!sha256(content).equals(checksums.get(archive))) {
            throw new IOException("%s does not have the pinned SHA-256, so it is not used".formatted(address));
        }
        return intoCache(DOWNLOADED_VERSION, directory -> {
            try (InputStream program = program(archive, content)) {
                Path target = directory.resolve(executable("nats-server"));
                Files.copy(program, target);
                target.toFile().setExecutable(true);
            }
        });
    }

    /** Fills a new folder beside the final file and moves the result there, so that nobody ever sees a half-written one. */
    private Path intoCache(String version, Filler filler) throws IOException {
        Path target = cached(version);
        Files.createDirectories(target.getParent());
        Path directory = Files.createTempDirectory(target.getParent(), "new-");
        Path result = directory.resolve(executable("nats-server"));
        try {
            filler.fill(directory);
            if (!isProgram(result)) {
                throw new FileNotFoundException("no nats-server came of it");
            }
            return Files.move(result, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }

    private interface Filler {
        void fill(Path directory) throws IOException;
    }

    private Path cached(String version) {
        String cache = environment.get("XDG_CACHE_HOME");
        Path home =
                cache == null || cache.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return home.resolve("chatterbox").resolve(executable("nats-server-" + version));
    }

    private Optional<Path> onPath(String program) {
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(directory -> !directory.isBlank())
                .map(directory ->
                        Path.of(directory).resolve(executable(program)).toAbsolutePath())
                .filter(NatsServerBinary::isProgram)
                .findFirst();
    }

    private String executable(String program) {
        return system.startsWith("windows") ? program + ".exe" : program;
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /** How the name of this system's archive ends, if we know its checksum. */
    private Optional<String> archive() {
        String processor = system.substring(system.lastIndexOf(' ') + 1);
        String name = switch (processor) {
            case "x86_64" -> "amd64";
            case "aarch64" -> "arm64";
            case "arm" -> "arm6"; // runs on 7 too
            default -> processor;
        };
        String archive = system.startsWith("windows")
                ? "windows-" + name + ".zip"
                : system.split(" ")[0] + "-" + name + ".tar.gz";
        return Optional.of(archive).filter(checksums::containsKey);
    }

    private static InputStream program(String archive, byte[] content) throws IOException {
        InputStream bytes = new ByteArrayInputStream(content);
        return archive.endsWith(".zip") ? fromZip(new ZipInputStream(bytes)) : fromTar(new GZIPInputStream(bytes));
    }

    private static InputStream fromZip(ZipInputStream zip) throws IOException {
        for (@Nullable ZipEntry entry; (entry = zip.getNextEntry()) != null; ) {
            if (entry.getName().endsWith("/nats-server.exe")) {
                return zip;
            }
        }
        throw new FileNotFoundException("no nats-server in the archive");
    }

    /** A tar archive is a sequence of 512-byte headers, each followed by its file, padded to 512 bytes. */
    private static InputStream fromTar(InputStream tar) throws IOException {
        byte[] header = new byte[512];
        while (tar.readNBytes(header, 0, header.length) == header.length && header[0] != 0) {
            int size = Integer.parseInt(field(header, 124, 12), 8);
            if (field(header, 0, 100).endsWith("/nats-server")) {
                return new ByteArrayInputStream(tar.readNBytes(size));
            }
            tar.skipNBytes((size + 511) / 512 * 512);
        }
        throw new FileNotFoundException("no nats-server in the archive");
    }

    private static String field(byte[] header, int offset, int length) {
        return new String(header, offset, length, StandardCharsets.US_ASCII).split("\0", 2)[0].strip();
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
