package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.LocalHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * A program from the archive of an official release whose checksum is pinned. The archive has one folder, with the
 * program in it.
 *
 * @param size of the download, for people
 * @param address the beginning of the archives' addresses; a key of the checksums is the end
 * @param sha256 the checksums, by the end of the archive's name, such as {@code linux-amd64.tar.gz}
 * @param timeout of the whole download
 */
record Download(String version, String size, String address, Map<String, String> sha256, Duration timeout)
        implements ProgramSource {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration UNPACK_TIMEOUT = Duration.ofMinutes(1);

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
                if (!new DigestUtils("SHA-256").digestAsHex(file).equals(sha256.get(archive))) {
                    throw new IOException("%s does not have the pinned SHA-256, so it is not used".formatted(uri));
                }
                Command.run(
                        UNPACK_TIMEOUT,
                        List.of("tar", "-xzf", file.toString(), "-C", folder.toString(), "--strip-components=1"));
            });
        } catch (IOException e) {
            throw new IOException("The download failed: " + e, e);
        }
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
}
