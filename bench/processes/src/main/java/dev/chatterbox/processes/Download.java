package dev.chatterbox.processes;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Downloaded as an official release whose checksum is pinned, unpacked, and kept in the cache. */
record Download(String version, String size, String address, Map<String, String> sha256, Optional<String> path)
        implements ProgramSource {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofMinutes(15);

    private static final String UNPACKED = "unpacked";

    @Override
    public Optional<Path> present(String program, Platform platform) {
        return Optional.of(program(target(program, platform))).filter(Platform::isProgram);
    }

    @Override
    public Optional<String> offer(String program, Platform platform) {
        return archive(platform).map(archive -> "%s %s, downloaded (%s, once)".formatted(program, version, size));
    }

    @Override
    public Path fetch(String program, Platform platform) throws IOException {
        String archive = archive(platform).orElseThrow();
        URI uri = URI.create(address + archive);
        String executable = platform.executable(program);
        try {
            Path target = Cache.fill(target(program, platform), path.isPresent() ? UNPACKED : executable, folder -> {
                Path file = download(uri, folder.resolve(archive));
                if (!digest(file).equals(sha256.get(archive))) {
                    throw new IOException("%s does not have the pinned SHA-256, so it is not used".formatted(uri));
                }
                Path unpacked = Files.createDirectory(folder.resolve(UNPACKED));
                Archive.unpack(file, entry -> entryTarget(entry, executable, folder, unpacked));
                if (!Platform.isProgram(program(path.isPresent() ? unpacked : folder.resolve(executable)))) {
                    throw new FileNotFoundException("no %s in the archive".formatted(program));
                }
            });
            return program(target);
        } catch (IOException e) {
            throw new IOException("The download failed: " + e, e);
        }
    }

    /** Where an entry of the archive goes, if it is needed. */
    private Optional<Path> entryTarget(String entry, String executable, Path folder, Path unpacked) throws IOException {
        if (path.isEmpty()) {
            return entry.endsWith("/" + executable) ? Optional.of(folder.resolve(executable)) : Optional.empty();
        }
        // Without the folder that holds everything, whose name has the version in it.
        Path file = unpacked.resolve(entry.substring(entry.indexOf('/') + 1)).normalize();
        if (!file.startsWith(unpacked)) {
            throw new IOException("%s leads out of the archive".formatted(entry));
        }
        return Optional.of(file);
    }

    private static Path download(URI uri, Path file) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
        try {
            HttpResponse<Path> response = HttpClient.newBuilder()
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .connectTimeout(CONNECT_TIMEOUT)
                    .build()
                    .send(request, HttpResponse.BodyHandlers.ofFile(file));
            if (response.statusCode() != 200) {
                throw new IOException("%s answered %d".formatted(uri, response.statusCode()));
            }
            return response.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private Path target(String program, Platform platform) {
        String name = program + "-" + version;
        return platform.cache().resolve(path.isPresent() ? name : platform.executable(name));
    }

    private Path program(Path target) {
        return path.map(target::resolve).orElse(target);
    }

    private Optional<String> archive(Platform platform) {
        return Stream.of(platform.archive(), ANY_SYSTEM)
                .filter(sha256::containsKey)
                .findFirst();
    }

    private static String digest(Path file) throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[1 << 16];
            for (int read; (read = content.read(buffer)) >= 0; ) {
                digest.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
