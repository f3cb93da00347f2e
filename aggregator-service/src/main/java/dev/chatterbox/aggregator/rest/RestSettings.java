package dev.chatterbox.aggregator.rest;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a row tells this client.
 *
 * @param urls the square services' addresses, used in turn; a name that has several IPv4 addresses is used for all of them
 * @param connections how many connections are open to each of them at the most, 1 to 10,000: an HTTP/1.1 connection carries
 *     one call at a time, so this bounds the calls in flight too
 * @param connectTimeout how long a connection may take to be made, at least 1 ms
 */
record RestSettings(
        @DefaultValue("http://localhost:7575") List<URI> urls,
        @DefaultValue("128") int connections,
        @DefaultValue("2s") Duration connectTimeout) {

    RestSettings {
        if (urls.isEmpty() || !urls.stream().allMatch(RestSettings::isBaseUrl)) {
            throw new IllegalArgumentException(
                    "client.urls must be http://host:port, or several with commas between them, but it is " + urls);
        }
        if (connections < 1 || connections > 10_000) {
            throw new IllegalArgumentException("client.connections must be 1 to 10000, but it is " + connections);
        }
        if (connectTimeout.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "client.connect-timeout must be at least 1ms, but it is " + connectTimeout);
        }
    }

    private static boolean isBaseUrl(URI url) {
        return url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()));
    }
}
