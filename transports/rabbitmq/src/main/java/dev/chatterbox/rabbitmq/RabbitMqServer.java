package dev.chatterbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatterbox.connection.RefusedException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/**
 * A RabbitMQ server, or the nodes of a cluster, and the options of connections to it. A URI may hold a password, so
 * messages show host and port alone.
 */
public final class RabbitMqServer {

    /** The delivery mode of messages that the server stores. */
    static final int PERSISTENT = 2;

    /** A queue that nothing has used for this long is left from a program that died. */
    static final int EXPIRES_MILLIS = 600_000;

    /** The time limit for the server's answer to any question, and to a new connection. */
    private static final int ANSWER_MILLIS = 2_000;

    /** Who says nothing for twice as long is gone, for either side. By default it is a minute. */
    private static final int HEARTBEAT_SECONDS = 5;

    private final ConnectionFactory options = new ConnectionFactory();
    private final List<Address> addresses = new ArrayList<>();

    /**
     * @param setting the name of the setting that holds the URI, for the message
     * @param uri one or several, with commas between them. They differ in host and port only: the user, the password
     *     and all else of the last one are used for each
     * @throws IllegalArgumentException a URI is wrong
     */
    public RabbitMqServer(String setting, String uri) {
        try {
            for (String node : uri.split(",(?=amqps?://)")) {
                options.setUri(node);
                addresses.add(new Address(options.getHost(), options.getPort()));
            }
            verify(options);
        } catch (URISyntaxException | GeneralSecurityException | RuntimeException e) {
            // The message shows neither the URI nor the cause, which repeats it: the URI may hold a password.
            throw new IllegalArgumentException(setting + " must be amqp://HOST:PORT or amqps://HOST:PORT");
        }
        // The library's recovery works only after a first connection has succeeded, renames a queue that the server
        // named, and does not reopen a channel that the server has closed.
        options.setAutomaticRecoveryEnabled(false);
        options.setConnectionTimeout(ANSWER_MILLIS);
        options.setHandshakeTimeout(ANSWER_MILLIS);
        options.setChannelRpcTimeout(ANSWER_MILLIS);
        options.setRequestedHeartbeat(HEARTBEAT_SECONDS);
    }

    /** Has the certificates of amqps checked, by the trust store of the JVM: the library alone trusts each of them. */
    public static void verify(ConnectionFactory options) throws NoSuchAlgorithmException {
        if (options.isSSL()) {
            options.useSslProtocol(SSLContext.getDefault());
            options.enableHostnameVerification();
        }
    }

    /** {@code HOST:PORT}; several with commas between them. */
    public String address() {
        return addresses.stream()
                .map(address -> address.getHost() + ":" + address.getPort())
                .collect(Collectors.joining(","));
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
        RabbitMqConnection connection = new RabbitMqConnection(this);
        try {
            connection.open(options.clone(), addresses, name);
            return use.open(connection);
        } catch (IOException e) {
            connection.close();
            throw reason(e);
        } catch (TimeoutException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** The server's refusal in its words, if this is one; else the error itself. */
    static IOException reason(IOException e) {
        if (e instanceof PossibleAuthenticationFailureException) {
            return new RefusedException(String.valueOf(e.getMessage()));
        }
        if (e.getCause() instanceof ShutdownSignalException end) {
            if (end.getReason() instanceof AMQP.Channel.Close close) {
                return new RefusedException(close.getReplyText());
            }
            if (end.getReason() instanceof AMQP.Connection.Close close
                    && close.getReplyCode() != AMQP.CONNECTION_FORCED) {
                return new RefusedException(close.getReplyText());
            }
        }
        return e;
    }
}
