package dev.chatterbox.square.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import dev.chatterbox.connection.ErrorHeaders;
import dev.chatterbox.proto.Output;
import dev.chatterbox.square.common.Reply;
import dev.chatterbox.square.common.SquareResponder;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reply to a queue, by the default exchange. Its request is acknowledged afterwards.
 *
 * @param correlationId identifies the request for its requester; null if the request has none
 * @param tag of the request's delivery
 */
record RabbitMqReply(
        Channel channel,
        String replyTo,
        @Nullable String correlationId,
        long tag,
        Acknowledgements acknowledgements,
        SquareResponder responder)
        implements Reply<Output> {

    private static final byte[] EMPTY = {};

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
        AMQP.BasicProperties.Builder properties = new AMQP.BasicProperties.Builder().correlationId(correlationId);
        if (!headers.isEmpty()) {
            properties.headers(headers);
        }
        try {
            channel.basicPublish("", replyTo, !replyTo.startsWith(CHANNEL), properties.build(), body);
        } catch (IOException | AlreadyClosedException | IllegalArgumentException e) {
            responder.undeliverable(String.valueOf(e.getMessage()));
        }
        acknowledgements.finished(tag);
    }
}
