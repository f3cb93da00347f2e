package dev.chatterbox.aggregator.nats;

import io.nats.client.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A NATS server, and what it asks of those who connect.
 *
 * @param server one address or several, with commas between them; shown to people
 * @param properties the path of a file of jnats' own properties, as of the user, the password and the trust store; empty
 *     for none. Shown to nobody
 */
record NatsTarget(String server, String properties) {

    /** @throws IllegalArgumentException the address holds a password, or the file cannot be read */
    NatsTarget {
        // jnats takes both from an address; but an address is shown, in /transports and in errors and logs.
        if (server.contains("@")) {
            throw new IllegalArgumentException(
                    "client.server must hold no user and no password: they belong in the file that client.properties"
                            + " (NATS_PROPERTIES) names");
        }
        if (!properties.isEmpty() && !Files.isReadable(Path.of(properties))) {
            throw new IllegalArgumentException(
                    "client.properties (NATS_PROPERTIES) must be a file that can be read, but it is " + properties);
        }
    }

    Options.Builder options() {
        try {
            Options.Builder options = properties.isEmpty() ? new Options.Builder() : new Options.Builder(properties);
            return options.servers(server.split(","));
        } catch (IOException e) {
            throw new IllegalArgumentException("the file %s cannot be read: %s".formatted(properties, e), e);
        }
    }
}
