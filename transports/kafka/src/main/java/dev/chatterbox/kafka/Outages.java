package dev.chatterbox.kafka;

import dev.chatterbox.connection.RefusedException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;

/**
 * Translates errors of Kafka's clients into messages for users. No message holds a password.
 *
 * @param servers the servers' addresses as the user wrote them
 * @param peer the side that meets the errors: "client" or "responder"
 */
public record Outages(String servers, String peer) {

    public String broker() {
        return "the Kafka broker at " + servers;
    }

    /** The message for an error of a connection that is open. */
    public String problem(Throwable error) {
        return "no connection to %s: %s".formatted(broker(), outage(error).getMessage());
    }

    /**
     * Turns an error into the reason why there is no connection; a {@link RefusedException} if users are to see it.
     *
     * @param error from any Kafka client, or a result of this method
     */
    public IOException outage(@Nullable Throwable error) {
        if (error instanceof IOException outage) {
            return outage;
        }
        String because = because(error);
        if (error != null && isRefusal(error)) {
            return new RefusedException("it refuses this %s: %s%s".formatted(peer, error.getMessage(), because));
        }
        ConfigException setting = setting(error);
        if (setting == null && (error instanceof KafkaException || error instanceof TimeoutException)) {
            return because.isEmpty() ? new IOException("no answer") : new RefusedException("no answer" + because);
        }
        IOException failure = new RefusedException(
                "the Kafka %s failed: %s".formatted(peer, setting == null ? error : setting.getMessage()));
        failure.initCause(error);
        return failure;
    }

    /** What is wrong with a client's settings or its brokers' names. It shows no value that is a password. */
    private static @Nullable ConfigException setting(@Nullable Throwable error) {
        return error == null || error instanceof ConfigException ? (ConfigException) error : setting(error.getCause());
    }

    /** Whether the broker is there, and does not let this client in. */
    public static boolean isRefusal(@Nullable Throwable error) {
        return error instanceof AuthenticationException || error instanceof AuthorizationException;
    }

    /** What is wrong with TLS or a trust store. Messages of other causes may hold parts of a password. */
    private static String because(@Nullable Throwable error) {
        Throwable root = error == null ? null : NestedExceptionUtils.getMostSpecificCause(error);
        return root instanceof IOException || root instanceof GeneralSecurityException ? ": " + root.getMessage() : "";
    }
}
