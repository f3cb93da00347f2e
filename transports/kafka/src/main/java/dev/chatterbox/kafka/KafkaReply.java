package dev.chatterbox.kafka;

import com.google.protobuf.MessageLite;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.WorkSpan;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A reply to a topic.
 *
 * @param partition null if the producer chooses
 * @param correlation the reply repeats it; null if the request has none
 * @param settled runs once, when the reply is stored or cannot be
 * @param span of the work on the request; null if the call is not traced
 */
record KafkaReply(
        ReplySender replies,
        String topic,
        @Nullable Integer partition,
        @Nullable Header correlation,
        Runnable settled,
        @Nullable WorkSpan span)
        implements Reply<MessageLite> {

    @Override
    public void answer(MessageLite answer) {
        send(answer.toByteArray(), new ArrayList<>(1));
    }

    @Override
    public void error(int code, String reason) {
        send(new byte[0], new ArrayList<>(MessageHeaders.error(code, reason)));
    }

    private void send(byte[] value, List<Header> headers) {
        if (correlation != null) {
            headers.add(correlation);
        }
        if (span != null) {
            headers.add(MessageHeaders.header(ResponderWork.HEADER, span.end()));
        }
        replies.send(new ReplySender.Outgoing(topic, partition, value, headers, settled));
    }
}
