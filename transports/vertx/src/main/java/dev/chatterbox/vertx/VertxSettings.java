package dev.chatterbox.vertx;

import dev.chatterbox.client.ClientSettings;
import java.net.URI;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings that a variant gives to this client.
 *
 * @param url the square service's address; calls to a name with several addresses are divided among all of them
 * @param h2c whether it speaks HTTP/2, without TLS and without an upgrade; otherwise HTTP/1.1
 * @param connections the most open connections, 1 to 10,000
 * @param streams how many calls a connection carries at a time, 1 to 10,000. Over HTTP/1.1 more than one are pipelined:
 *     they are answered in their order
 * @param connectTimeout how long a connection may take to be made, at least 1 ms
 */
record VertxSettings(
        @DefaultValue("http://127.0.0.1:7596") URI url,
        @DefaultValue("false") boolean h2c,
        @DefaultValue("128") int connections,
        @DefaultValue("1") int streams,
        @DefaultValue("2s") Duration connectTimeout) {

    VertxSettings {
        boolean isAddress = "http".equals(url.getScheme()) && url.getHost() != null && url.getPort() > 0;
        if (!isAddress || url.getRawUserInfo() != null) {
            // The message does not repeat it, because /transports, errors and logs show no password.
            throw new IllegalArgumentException(
                    "client.url must be http://host:port, and hold no user" + ClientSettings.HOSTS);
        }
        ClientSettings.requireRange("client.connections", connections, 10_000);
        ClientSettings.requireRange("client.streams", streams, 10_000);
        ClientSettings.requireMillis("client.connect-timeout", connectTimeout, 1);
    }

    int maxInFlight() {
        return connections * streams;
    }

    boolean isPipelined() {
        return !h2c && streams > 1;
    }
}
