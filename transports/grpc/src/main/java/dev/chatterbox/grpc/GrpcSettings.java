package dev.chatterbox.grpc;

import dev.chatterbox.client.ClientSettings;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings that a variant gives to this client.
 *
 * @param targets the square services in grpc-java's form ({@code host:port}, {@code dns:///name:port}), used in turn;
 *     calls to a name with several addresses are divided among all of them
 * @param channels how many channels there are to each target, 1 to 64; a channel has one connection to each address
 * @param maxAge how long a channel is used before another one replaces it, at least 100 ms; a square service that joins
 *     behind the same name then gets its share
 */
record GrpcSettings(
        @DefaultValue("127.0.0.1:7589") List<String> targets,
        @DefaultValue("1") int channels,
        @DefaultValue("30s") Duration maxAge) {

    GrpcSettings {
        if (targets.isEmpty() || targets.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException(
                    "client.targets must be host:port, or several with commas between them, but it is " + targets);
        }
        ClientSettings.requireRange("client.channels", channels, 64);
        ClientSettings.requireMillis("client.max-age", maxAge, 100);
    }
}
