package dev.chatterbox.nats;

import io.nats.client.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The address of a NATS server, and the properties with which clients connect to it.
 *
 * @param server one address or several, with commas between them; people are shown it
 * @param properties the path of a file of jnats' own properties, such as the user, the password and the trust store;
 *     empty if there is none. Nobody is shown it
 */
public record NatsAccess(String server, String properties) {

    /**
     * @param prefix of the two settings, for messages: as "client" of client.server
     * @throws IllegalArgumentException the address holds a password, or the file cannot be read
     */
    public static NatsAccess of(String prefix, String server, String properties) {
        // jnats accepts a password in an address, but /transports, health, errors and logs show the address.
        if (server.contains("@")) {
            throw new IllegalArgumentException(
                    "%s.server (NATS_SERVER) must hold no user and no password: they belong in".formatted(prefix)
                            + " the file that %s.properties (NATS_PROPERTIES) names".formatted(prefix));
        }
        if (!properties.isEmpty() && !Files.isReadable(Path.of(properties))) {
            throw new IllegalArgumentException(
                    "%s.properties (NATS_PROPERTIES) must be a file that can be read, but it is %s"
                            .formatted(prefix, properties));
        }
        return new NatsAccess(server, properties);
    }

    public String broker() {
        return "the NATS server at " + server;
    }

    /** @throws IOException the file of properties cannot be read */
    public Options.Builder options() throws IOException {
        Options.Builder options = properties.isEmpty() ? new Options.Builder() : new Options.Builder(properties);
        return options.servers(server.split(","));
    }
}
