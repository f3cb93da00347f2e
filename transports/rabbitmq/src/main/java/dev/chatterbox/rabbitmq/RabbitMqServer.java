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

    /** For the server's answer to any question, and to a new connection. */
    private static final int ANSWER_MILLIS = 2_000;

    private final ConnectionFactory options = new ConnectionFactory();

    /**
     * @param setting that the URI is the value of, for the message
     * @throws IllegalArgumentException the URI is none
     */
    public RabbitMqServer(String setting, String uri) {
        try {
            options.setUri(uri);
        } catch (URISyntaxException | GeneralSecurityException | RuntimeException e) {
            // Neither the URI nor the cause, which repeats it: it may hold a password.
            throw new IllegalArgumentException(setting + " must be amqp://HOST:PORT");
        }
        // It begins after the first connection only, gives a queue that the server names another name, and does not
        // open a channel again that the server has closed.
        options.setAutomaticRecoveryEnabled(false);
        options.setConnectionTimeout(ANSWER_MILLIS);
        options.setHandshakeTimeout(ANSWER_MILLIS);
        options.setChannelRpcTimeout(ANSWER_MILLIS);
    }

    /** {@code HOST:PORT}. */
    public String address() {
        return options.getHost() + ":" + options.getPort();
    }

    /** For messages. */
    @Override
    public String toString() {
        return "the RabbitMQ server at " + address();
    }

    /** What goes over a connection. */
    @FunctionalInterface
    public interface Use<C> {
        C open(RabbitMqConnection connection) throws IOException, TimeoutException;
    }

    /**
     * Connects, and opens what goes over the connection, which is closed where that fails.
     *
     * @param name that the server shows
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
