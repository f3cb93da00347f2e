package dev.chatterbox.rest;

import dev.chatterbox.client.ClientSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;
import reactor.netty.http.HttpProtocol;

/**
 * The settings that a variant gives to this client.
 *
 * @param urls the square services' addresses, used in turn; calls to a name with several addresses are divided
 *     among all of them
 * @param connections the most open connections to each of them, 1 to 10,000
 * @param streams how many calls a connection carries at a time, 1 to 10,000; over HTTP/1.1 it is 1, so that the
 *     connections bound the calls in flight
 * @param protocol {@code http1}, or {@code h2c}: HTTP/2 without TLS and without an upgrade
 * @param connectTimeout how long a connection may take to be made, at least 1 ms
 */
record RestSettings(
        @DefaultValue("http://localhost:7575") List<URI> urls,
        @DefaultValue("128") int connections,
        @DefaultValue("1") int streams,
        @DefaultValue("http1") Protocol protocol,
        @DefaultValue("2s") Duration connectTimeout) {

    enum Protocol {
        HTTP1("HTTP/1.1", HttpProtocol.HTTP11),
        H2C("HTTP/2 without TLS", HttpProtocol.H2C);

        /** For people. */
        final String text;

        final HttpProtocol library;

        Protocol(String text, HttpProtocol library) {
            this.text = text;
            this.library = library;
        }
    }

    RestSettings {
        if (urls.isEmpty() || !urls.stream().allMatch(RestSettings::isBaseUrl)) {
            // The message does not repeat them, because /transports, errors and logs show no password.
            throw new IllegalArgumentException(
                    "client.urls must be http://host:port, or several with commas between them, and hold no user"
                            + ClientSettings.HOSTS);
        }
        ClientSettings.requireRange("client.connections", connections, 10_000);
        int mostStreams = protocol == Protocol.H2C ? 10_000 : 1;
        if (streams < 1 || streams > mostStreams) {
            throw new IllegalArgumentException("client.streams must be 1 to %d over %s, but it is %d"
                    .formatted(mostStreams, protocol.text, streams));
        }
        ClientSettings.requireMillis("client.connect-timeout", connectTimeout, 1);
    }

    /** How many calls all connections together carry at a time. */
    int maxInFlight() {
        return (int) Math.min(Integer.MAX_VALUE, (long) connections * streams * urls.size());
    }

    private static boolean isBaseUrl(URI url) {
        return url.getHost() != null
                && url.getRawUserInfo() == null
                && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()));
    }
}
