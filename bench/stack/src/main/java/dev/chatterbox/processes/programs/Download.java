package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.LocalHttp;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/**
 * A program from an official release whose checksum is pinned. It is downloaded, unpacked, and kept in the cache.
 *
 * @param timeout of the whole download
 */
record Download(String version, String size, String address, Map<String, String> sha256, Duration timeout)
        implements ProgramSource {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    @Override
    public Optional<Path> present(String program, Platform platform) {
        return Optional.of(platform.cached(program, version)).filter(Platform::isProgram);
    }

    @Override
    public Optional<String> offer(String program, Platform platform) {
        return sha256.containsKey(platform.archive())
                ? Optional.of("%s %s, downloaded (%s, once)".formatted(program, version, size))
                : Optional.empty();
    }

    @Override
    public Path fetch(String program, Platform platform) throws IOException {
        String archive = platform.archive();
        URI uri = URI.create(address + archive);
        try {
            return Cache.fill(platform.cached(program, version), program, folder -> {
                Path file = download(uri, folder.resolve(archive));
                if (!sha256(file).equals(sha256.get(archive))) {
                    throw new IOException("%s does not have the pinned SHA-256, so it is not used".formatted(uri));
                }
                unpack(file, program, folder.resolve(program));
            });
        } catch (IOException e) {
            throw new IOException("The download failed: " + e, e);
        }
    }

    @Override
    public Optional<String> advice(String program) {
        return Optional.empty();
    }

    private Path download(URI uri, Path file) throws IOException {
        HttpClient client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(CONNECT_TIMEOUT)
                .build();
        HttpResponse<Path> response = LocalHttp.send(
                client, HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofFile(file), timeout);
        if (response.statusCode() != 200) {
            throw new IOException("%s answered %d".formatted(uri, response.statusCode()));
        }
        return response.body();
    }

    private static String sha256(Path file) throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            return DigestUtils.sha256Hex(content);
        }
    }

    /** Takes the file with that name out of a {@code .tar.gz} archive. */
    private static void unpack(Path archive, String executable, Path target) throws IOException {
        try (InputStream content = new BufferedInputStream(Files.newInputStream(archive));
                TarArchiveInputStream entries = new TarArchiveInputStream(new GzipCompressorInputStream(content))) {
            for (ArchiveEntry entry; (entry = entries.getNextEntry()) != null; ) {
                if (entry.getName().endsWith("/" + executable)) {
                    Files.copy(entries, target);
                    target.toFile().setExecutable(true, false);
                    return;
                }
            }
        }
        throw new FileNotFoundException("no %s in the archive".formatted(executable));
    }
}
