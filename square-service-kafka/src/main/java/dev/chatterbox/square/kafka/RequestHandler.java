package dev.chatterbox.square.kafka;

import com.google.protobuf.MessageLite;
import dev.chatterbox.kafka.MessageHeaders;
import dev.chatterbox.square.common.Reply;
import dev.chatterbox.square.common.SquareResponder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Answers each request to the topic, and the partition, that its headers name, with its own correlation id: what
 * {@code @SendTo} does, without a Spring message and a map of headers a record.
 */
final class RequestHandler {

    private final String batchTopic;
    private final SquareResponder responder;
    private final ReplySender replies;

    /** @param batchTopic whose requests are batches; all others are not */
    RequestHandler(String batchTopic, SquareResponder responder, ReplySender replies) {
        this.batchTopic = batchTopic;
        this.responder = responder;
        this.replies = replies;
    }

    /** Never throws and never waits: a request that is at fault must not hold up those behind it. */
    void answer(ConsumerRecord<byte[], byte[]> request) {
        Header topic = request.headers().lastHeader(MessageHeaders.REPLY_TOPIC);
        Header partition = request.headers().lastHeader(MessageHeaders.REPLY_PARTITION);
        Header correlation = request.headers().lastHeader(MessageHeaders.CORRELATION_ID);
        boolean partitionValid = partition == null || validPartition(partition.value());
        Reply<MessageLite> reply = topic == null || topic.value() == null || !partitionValid
                ? Reply.NOWHERE
                : new KafkaReply(
                        new String(topic.value(), StandardCharsets.UTF_8),
                        partition == null
                                ? null
                                : ByteBuffer.wrap(partition.value()).getInt(),
                        correlation);
        if (!partitionValid) {
            responder.refuse(MessageHeaders.REPLY_PARTITION + " must be a 4-byte integer from 0", reply);
        } else if (reply == Reply.NOWHERE) {
            responder.refuse("it names no topic to reply to in " + MessageHeaders.REPLY_TOPIC, reply);
        } else if (correlation == null || correlation.value() == null) {
            responder.refuse("it has no " + MessageHeaders.CORRELATION_ID, reply);
        } else if (request.value() == null) {
            responder.refuse("it has no value", reply);
        } else if (request.topic().equals(batchTopic)) {
            responder.answerBatch(request.value(), reply);
        } else {
            responder.answer(request.value(), reply);
        }
    }

    private static boolean validPartition(byte @Nullable [] value) {
        return value != null
                && value.length == Integer.BYTES
                && ByteBuffer.wrap(value).getInt() >= 0;
    }

    private final class KafkaReply implements Reply<MessageLite> {

        private final String topic;
        private final @Nullable Integer partition;
        private final @Nullable Header correlation;

        KafkaReply(String topic, @Nullable Integer partition, @Nullable Header correlation) {
            this.topic = topic;
            this.partition = partition;
            this.correlation = correlation;
        }

        @Override
        public void answer(MessageLite answer) {
            send(answer.toByteArray(), new ArrayList<>(1));
        }

        @Override
        public void error(int code, String reason) {
            List<Header> headers = new ArrayList<>(3);
            headers.addAll(MessageHeaders.error(code, reason));
            send(new byte[0], headers);
        }

        private void send(byte[] value, List<Header> headers) {
            if (correlation != null && correlation.value() != null) {
                headers.add(correlation);
            }
            replies.send(new ProducerRecord<>(topic, partition, null, null, value, headers));
        }
    }
}
