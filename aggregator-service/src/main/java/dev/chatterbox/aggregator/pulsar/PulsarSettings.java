package dev.chatterbox.aggregator.pulsar;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a row tells this client.
 *
 * @param url of the broker, {@code pulsar://host:port}
 * @param adminUrl of the same broker, {@code http://host:port}: who takes requests is asked there
 * @param batching how long a request may wait for others, to be stored with them in one entry; zero for not at all
 */
record PulsarSettings(
        @DefaultValue("pulsar://localhost:6650") String url,
        @DefaultValue("http://localhost:6651") String adminUrl,
        @DefaultValue("0ms") Duration batching) {

    PulsarSettings {
        if (!url.startsWith("pulsar://")) {
            throw new IllegalArgumentException("client.url must be pulsar://host:port");
        }
        if (batching.isNegative() || batching.toSeconds() > 0) {
            throw new IllegalArgumentException("client.batching must be 0ms to 999ms");
        }
    }
}
