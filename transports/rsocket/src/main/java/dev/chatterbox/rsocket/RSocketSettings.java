package dev.chatterbox.rsocket;

import dev.chatterbox.client.ClientSettings;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings that a variant gives to this client.
 *
 * @param targets the square services, each {@code host:port}, used in turn over one connection each; a name with
 *     several addresses gets a connection to each of them
 * @param route whether each request names its route, as Spring's requesters do and its responders need
 * @param keepAlive how often a connection asks whether its other side is alive, at least 10 ms
 * @param maxLifetime a connection whose other side has not answered for so long is given up; longer than keepAlive
 */
record RSocketSettings(
        @DefaultValue("127.0.0.1:7598") List<String> targets,
        @DefaultValue("true") boolean route,
        @DefaultValue("2s") Duration keepAlive,
        @DefaultValue("10s") Duration maxLifetime) {

    RSocketSettings {
        requireTargets(targets);
        ClientSettings.requireMillis("client.keep-alive", keepAlive, 10);
        if (maxLifetime.compareTo(keepAlive) <= 0) {
            throw new IllegalArgumentException(
                    "client.max-lifetime must be longer than client.keep-alive, but it is " + maxLifetime);
        }
    }

    static void requireTargets(List<String> targets) {
        if (targets.isEmpty() || !targets.stream().allMatch(Connections::isTarget)) {
            throw new IllegalArgumentException(
                    "client.targets must be host:port, or several with commas between them, but it is " + targets
                            + ClientSettings.HOSTS);
        }
    }
}
