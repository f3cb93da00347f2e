package dev.chatterbox.responder;

import com.google.protobuf.MessageLite;
import dev.chatterbox.connection.ErrorHeaders;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.WorkSpan;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reply as one message of a broker: a body, and headers that are text. */
public interface MessageReply extends Reply<MessageLite> {

    /** Of the work on the request; null if its call is not traced. */
    @Nullable
    WorkSpan span();

    /**
     * Sends the reply. The transport adds what identifies the request.
     *
     * @param headers mostly none
     */
    void send(Map<String, String> headers, byte[] body);

    /** The headers of an error reply, whose body is empty. */
    default Map<String, String> errorHeaders(String reason) {
        return Map.of(ErrorHeaders.REASON, reason, ErrorHeaders.CODE, "400");
    }

    @Override
    default void answer(MessageLite answer) {
        send(worked(Map.of()), answer.toByteArray());
    }

    @Override
    default void error(String reason) {
        send(worked(errorHeaders(reason)), new byte[0]);
    }

    private Map<String, String> worked(Map<String, String> headers) {
        WorkSpan span = span();
        if (span == null) {
            return headers;
        }
        Map<String, String> worked = new HashMap<>(headers);
        worked.put(ResponderWork.HEADER, span.end());
        return worked;
    }
}
