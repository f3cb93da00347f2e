package dev.chatterbox.kafka;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** The headers of requests and replies: spring-kafka's own, so that any {@code ReplyingKafkaTemplate} can take part. */
public final class MessageHeaders {

    /** The reply repeats the bytes of the request, whatever they are. */
    public static final String CORRELATION_ID = "kafka_correlationId";

    public static final String REPLY_TOPIC = "kafka_replyTopic";

    /** 4 bytes. If it is missing, the responder's producer chooses the partition. */
    public static final String REPLY_PARTITION = "kafka_replyPartition";

    private MessageHeaders() {}

    public static Header replyTopic(String topic) {
        return header(REPLY_TOPIC, topic);
    }

    public static Header replyPartition(int partition) {
        return new RecordHeader(
                REPLY_PARTITION,
                ByteBuffer.allocate(Integer.BYTES).putInt(partition).array());
    }

    /** A header whose value is text; null where there is none. */
    public static @Nullable String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    /** A header whose value is text. */
    public static Header header(String name, String text) {
        return new RecordHeader(name, text.getBytes(StandardCharsets.UTF_8));
    }
}
