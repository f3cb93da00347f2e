package dev.chatterbox.aggregator.rsocket;

import dev.chatterbox.rsocket.Connections;
import dev.chatterbox.rsocket.Protocol;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a row sets for this client.
 *
 * @param targets the square services, each {@code host:port}, used in turn over one connection each; a name that has
 *     several addresses is used for all of them
 * @param keepAlive how often a connection asks whether its other side lives, at least 10 ms
 * @param maxLifetime a connection whose other side has not answered that for so long is given up; longer than
 *     keepAlive
 */
record RSocketSettings(
        @DefaultValue("127.0.0.1:7598") List<String> targets,
        @DefaultValue("2s") Duration keepAlive,
        @DefaultValue("10s") Duration maxLifetime) {

    RSocketSettings {
        requireTargets(targets);
        if (keepAlive.toMillis() < 10) {
            throw new IllegalArgumentException("client.keep-alive must be at least 10ms, but it is " + keepAlive);
        }
        if (maxLifetime.compareTo(keepAlive) <= 0) {
            throw new IllegalArgumentException(
                    "client.max-lifetime must be longer than client.keep-alive, but it is " + maxLifetime);
        }
    }

    static void requireTargets(List<String> targets) {
        if (targets.isEmpty() || !targets.stream().allMatch(Connections::isTarget)) {
            throw new IllegalArgumentException(
                    "client.targets must be host:port, or several with commas between them, but it is " + targets);
        }
    }

    /** The settings that both clients show. */
    static Map<String, Object> shown(
            List<String> targets, String library, Object connections, String payloads, long keepAlive, long lifetime) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("targets", String.join(",", targets));
        shown.put("library", Protocol.version() + library);
        shown.put("protocol", "TCP without TLS");
        shown.put("connections", connections);
        shown.put("payloads", payloads);
        shown.put("keep-alive", keepAlive + " ms");
        shown.put("max lifetime", lifetime + " ms");
        shown.put("resume", "off");
        shown.put("lease", "off");
        shown.put("retries", "off");
        shown.put("delivery", "direct, at most once");
        return shown;
    }
}
