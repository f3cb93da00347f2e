package dev.chatterbox.comparison.remote;

import dev.chatterbox.processes.LocalHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server on another machine.
 *
 * @param address such as {@code https://example.org} or {@code http://10.0.0.7:9090/prometheus}, without a slash at its
 *     end
 * @param authorization the value of the header {@code Authorization}; it never appears in a message
 */
public record Remote(URI address, Optional<String> authorization) {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(TIMEOUT)
            .build();

    /**
     * @param authorization an empty one counts as none, as null does
     * @throws IllegalArgumentException the text is no address of a server, and the message quotes it; or the
     *     authorization cannot be sent, and the message does not quote that
     */
    public static Remote of(String text, @Nullable String authorization) {
        URI address;
        try {
            address = URI.create(text.replaceAll("/+$", ""));
        } catch (IllegalArgumentException e) {
            address = URI.create("");
        }
        boolean http = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
        if (!http || address.getHost() == null || address.getQuery() != null || address.getUserInfo() != null) {
            throw new IllegalArgumentException(
                    "'%s' is no address such as http://localhost:8080, without a user and a question mark"
                            .formatted(address.getUserInfo() == null ? text : "…@" + address.getHost()));
        }
        Optional<String> stripped =
                Optional.ofNullable(authorization).map(String::strip).filter(value -> !value.isEmpty());
        if (stripped.isPresent() && !stripped.get().matches("[\\x20-\\x7e]+")) {
            throw new IllegalArgumentException(
                    "the authorization for %s has other characters than printable ASCII".formatted(address.getHost()));
        }
        return new Remote(address, stripped);
    }

    /** @throws IOException no answer within ten seconds, another status than 200, or no JSON; its message is a line */
    public JsonNode json(String path) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path));
        authorization.ifPresent(value -> request.header("Authorization", value));
        HttpResponse<String> response;
        try {
            response = LocalHttp.send(CLIENT, request.build(), HttpResponse.BodyHandlers.ofString(), TIMEOUT);
        } catch (IOException e) {
            throw new IOException("%s does not answer: %s".formatted(address, e), e);
        }
        String page = path.replaceFirst("\\?.*", "");
        if (response.statusCode() != 200) {
            throw new IOException("%s answers %d to %s".formatted(address, response.statusCode(), page));
        }
        try {
            return JsonMapper.shared().readTree(response.body());
        } catch (JacksonException e) {
            throw new IOException("%s answers to %s without JSON".formatted(address, page), e);
        }
    }
}
