package dev.chatterbox.kafka;

import dev.chatterbox.responder.MessageReply;
import dev.chatterbox.traces.WorkSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        implements MessageReply {

    @Override
    public void send(Map<String, String> texts, byte[] value) {
        List<Header> headers = new ArrayList<>(1);
        texts.forEach((name, text) -> headers.add(MessageHeaders.header(name, text)));
        if (correlation != null) {
            headers.add(correlation);
        }
        replies.send(new ReplySender.Outgoing(topic, partition, value, headers, settled));
    }
}
