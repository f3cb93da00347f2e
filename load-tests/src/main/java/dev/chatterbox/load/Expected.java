package dev.chatterbox.load;

import dev.chatterbox.workloads.QueueAnswer;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;

/** What makes an answer right. May be used by several threads. */
interface Expected {

    Judgement judge(int status, HttpHeaders headers, byte[] answer);

    /** The right answers until now, if they are those of a queue. */
    default List<QueueAnswer> queue() {
        return List.of();
    }
}
