package dev.chatterbox.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeoutException;

/**
 * A RabbitMQ server, and the options of connections to it. Its URI may hold a password, so messages show host and port
 * alone.
 */
public final class RabbitMqServer {

    /** The time limit for the server's answer to any question, and to a new connection. */
    private static final int ANSWER_MILLIS = 2_000;

    private final ConnectionFactory options = new ConnectionFactory();

    /**
     * @param setting the name of the setting that holds the URI, for the message
     * @throws IllegalArgumentException the URI is wrong
     */
    public RabbitMqServer(String setting, String uri) {
        try {
            options.setUri(uri);
        } catch (URISyntaxException | GeneralSecurityException | RuntimeException e) {
            // The message shows neither the URI nor the cause, which repeats it: the URI may hold a password.
            throw new IllegalArgumentException(setting + " must be amqp://HOST:PORT");
        }
        // The library's recovery works only after a first connection has succeeded, renames a queue that the server
        // named, and does not reopen a channel that the server has closed.
        options.setAutomaticRecoveryEnabled(false);
        options.setConnectionTimeout(ANSWER_MILLIS);
        options.setHandshakeTimeout(ANSWER_MILLIS);
        options.setChannelRpcTimeout(ANSWER_MILLIS);
    }

    /** {@code HOST:PORT}. */
    public String address() {
        return options.getHost() + ":" + options.getPort();
    }

    @Override
    public String toString() {
        return "the RabbitMQ server at " + address();
    }

    /** Opens what is used over a connection. */
    @FunctionalInterface
    public interface Use<C> {
        C open(RabbitMqConnection connection) throws IOException, TimeoutException;
    }

    /**
     * Connects, and opens what is used over the connection. The connection is closed if that fails.
     *
     * @param name the server shows it as the connection's name
     */
    public <C> C connect(String name, Use<C> use) throws IOException, TimeoutException {
        RabbitMqConnection connection = new RabbitMqConnection(this, options.clone(), name);
        try {
            return use.open(connection);
        } catch (IOException | TimeoutException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }
}
