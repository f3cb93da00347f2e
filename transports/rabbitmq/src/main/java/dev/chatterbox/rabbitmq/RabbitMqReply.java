package dev.chatterbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import dev.chatterbox.responder.MessageReply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.WorkSpan;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A reply to a queue, by the default exchange. Its request is acknowledged afterwards; if the reply waits for its
 * confirm, after that. Then it blocks the thread that answers, as its variant wants it.
 *
 * @param correlationId identifies the request for its requester; null if the request has none
 * @param tag of the request's delivery
 * @param span of the work on the request; null if the call is not traced
 * @param confirmed whether the reply is persistent and waits until the server has confirmed it
 */
record RabbitMqReply(
        Channel channel,
        String replyTo,
        @Nullable String correlationId,
        long tag,
        @Nullable WorkSpan span,
        boolean confirmed,
        Acknowledgements acknowledgements,
        SquareResponder responder)
        implements MessageReply {

    private static final int PERSISTENT = 2;

    /** In milliseconds. */
    private static final long CONFIRM_WITHIN = 5_000;

    /** How the address of a requester's channel begins (direct reply-to). */
    static final String CHANNEL = "amq.rabbitmq.reply-to.";

    /** A header of a message; null if it has none, or not this one. */
    static @Nullable String header(@Nullable Map<String, Object> headers, String name) {
        Object value = headers == null ? null : headers.get(name);
        return value == null ? null : value.toString();
    }

    /**
     * A reply to a queue is mandatory, so that the server returns it if the queue does not exist. A reply to a channel
     * is not: the server delivers such a reply and returns it nevertheless.
     */
    @Override
    public void send(Map<String, String> headers, byte[] body) {
        AMQP.BasicProperties.Builder properties = new AMQP.BasicProperties.Builder()
                .correlationId(correlationId)
                .headers(headers.isEmpty() ? null : Map.copyOf(headers))
                .deliveryMode(confirmed ? PERSISTENT : null);
        try {
            channel.basicPublish("", replyTo, !replyTo.startsWith(CHANNEL), properties.build(), body);
            if (confirmed && !channel.waitForConfirms(CONFIRM_WITHIN)) {
                responder.undeliverable("the server did not store it");
            }
        } catch (IOException | AlreadyClosedException | IllegalArgumentException | TimeoutException e) {
            responder.undeliverable(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        acknowledgements.finished(tag);
    }
}
