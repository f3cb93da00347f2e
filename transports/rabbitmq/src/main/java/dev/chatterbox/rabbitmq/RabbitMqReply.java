package dev.chatterbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import dev.chatterbox.connection.ErrorHeaders;
import dev.chatterbox.proto.Output;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.WorkSpan;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A reply to a queue, by the default exchange. Its request is acknowledged afterwards; if the reply waits for its
 * confirm, after that. Then it blocks the thread that answers, as its row wants it.
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
        implements Reply<Output> {

    private static final byte[] EMPTY = {};
    private static final int PERSISTENT = 2;

    /** In milliseconds. */
    private static final long CONFIRM_WITHIN = 5_000;

    /** How the address of a requester's channel begins (direct reply-to). */
    static final String CHANNEL = "amq.rabbitmq.reply-to.";

    @Override
    public void answer(Output answer) {
        publish(Map.of(), answer.toByteArray());
    }

    @Override
    public void error(int code, String reason) {
        publish(Map.of(ErrorHeaders.REASON, reason, ErrorHeaders.CODE, Integer.toString(code)), EMPTY);
    }

    /**
     * A reply to a queue is mandatory, so that the server returns it if the queue does not exist. A reply to a channel
     * is not: the server delivers such a reply and returns it nevertheless.
     */
    private void publish(Map<String, Object> headers, byte[] body) {
        AMQP.BasicProperties.Builder properties = new AMQP.BasicProperties.Builder()
                .correlationId(correlationId)
                .deliveryMode(confirmed ? PERSISTENT : null);
        if (span != null) {
            Map<String, Object> traced = new HashMap<>(headers);
            traced.put(ResponderWork.HEADER, span.end());
            properties.headers(traced);
        } else if (!headers.isEmpty()) {
            properties.headers(headers);
        }
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
