package dev.chatterbox.nats;

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
public record NatsAccess(String server, String properties) {

    /**
     * @param prefix of the two settings, for messages: as "client" of client.server
     * @throws IllegalArgumentException the address holds a password, or the file cannot be read
     */
    public static NatsAccess of(String prefix, String server, String properties) {
        // jnats takes both from an address; but an address is shown, in /transports, health, errors and logs.
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

    /** The server, for messages. */
    public String broker() {
        return "the NATS server at " + server;
    }

    /** @throws IOException the file of properties cannot be read */
    public Options.Builder options() throws IOException {
        Options.Builder options = properties.isEmpty() ? new Options.Builder() : new Options.Builder(properties);
        return options.servers(server.split(","));
    }
}
