package dev.chatterbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatterbox.responder.MessageReply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.WorkSpan;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A reply to a queue, by the default exchange. Its request is acknowledged afterwards; if the reply waits for its
 * confirm, after that. Then it blocks the thread that answers, as its variant wants it.
 *
 * @param requests brought the request; its channel carries the reply too
 * @param correlationId identifies the request for its requester; null if the request has none
 * @param tag of the request's delivery
 * @param span of the work on the request; null if the call is not traced
 */
record RabbitMqReply(
        RabbitMqRequests requests,
        String replyTo,
        @Nullable String correlationId,
        long tag,
        @Nullable WorkSpan span) implements MessageReply {

    /** In milliseconds. */
    private static final long CONFIRM_WITHIN = 5_000;

    private static final Duration ABORT_WITHIN = Duration.ofSeconds(1);

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
        Channel channel = requests.getChannel();
        SquareResponder responder = requests.responder;
        // Such a reply is persistent, and waits until the server has confirmed it.
        boolean confirmed = requests.settings.confirmEach();
        AMQP.BasicProperties.Builder properties = new AMQP.BasicProperties.Builder()
                .correlationId(correlationId)
                .headers(headers.isEmpty() ? null : Map.copyOf(headers))
                .deliveryMode(confirmed ? RabbitMqServer.PERSISTENT : null);
        boolean stored = true;
        try {
            // A delayed reply has another thread, and each confirm must be that of its own reply.
            synchronized (channel) {
                channel.basicPublish("", replyTo, !replyTo.startsWith(CHANNEL), properties.build(), body);
                stored = !confirmed || channel.waitForConfirms(CONFIRM_WITHIN);
            }
        } catch (TimeoutException e) {
            stored = false;
        } catch (IOException | ShutdownSignalException | IllegalArgumentException e) {
            responder.undeliverable(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            stored = false;
            Thread.currentThread().interrupt();
        }
        if (stored) {
            requests.acknowledgements.finished(tag);
        } else {
            responder.undeliverable("the server has not stored it");
            // The server delivers the request again, over the next connection.
            RabbitMqConnection.within(ABORT_WITHIN, channel::abort);
        }
    }
}
