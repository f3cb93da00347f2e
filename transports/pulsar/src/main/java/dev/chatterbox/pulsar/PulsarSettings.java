package dev.chatterbox.pulsar;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings that a variant gives to this client.
 *
 * @param url of the broker, {@code pulsar://host:port}
 * @param adminUrl of the same broker, {@code http://host:port}; it shows whether a responder takes requests
 * @param batching how long a request may wait for others to be stored with it in one entry; zero if it does not wait
 */
record PulsarSettings(
        @DefaultValue("pulsar://localhost:6650") String url,
        @DefaultValue("http://localhost:6651") String adminUrl,
        @DefaultValue("1ms") Duration batching) {

    PulsarSettings {
        if (!url.startsWith("pulsar://")) {
            throw new IllegalArgumentException("client.url must be pulsar://host:port");
        }
        if (batching.isNegative() || batching.toSeconds() > 0 || batching.toNanos() % 1_000_000 > 0) {
            throw new IllegalArgumentException("client.batching must be 0ms to 999ms, in whole milliseconds");
        }
    }
}
