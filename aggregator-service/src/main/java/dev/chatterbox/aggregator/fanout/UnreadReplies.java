package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.client.SquareReply;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

/**
 * Bounds the replies that wait for users who do not read them, over all requests. Such a request is being answered no
 * longer once its last reply has come, so no other limit counts it. Above the bound, the answer whose user has not read
 * for the longest time is ended.
 */
final class UnreadReplies {

    private static final Logger log = LoggerFactory.getLogger(UnreadReplies.class);

    /** What a reply takes beside its squares: three objects, and a place in a queue. */
    private static final int BYTES_OF_A_REPLY = 64;

    private final long mostBytes;

    /** In the order in which they were read last. */
    private final Set<Answer> answers = new LinkedHashSet<>();

    private long bytes;

    UnreadReplies(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    private static final class Answer {

        private final Runnable disconnect;
        private long bytes;

        Answer(Runnable disconnect) {
            this.disconnect = disconnect;
        }
    }

    /**
     * The replies, which wait until they are asked for.
     *
     * @param replies comes without being asked for
     * @param disconnect ends the user's connection, which cancels this
     */
    Flux<SquareReply> of(Flux<SquareReply> replies, Runnable disconnect) {
        return Flux.defer(() -> {
            Answer answer = new Answer(disconnect);
            begin(answer);
            return replies.doOnNext(reply -> waits(answer, bytes(reply)))
                    .onBackpressureBuffer()
                    .doOnNext(reply -> isRead(answer, bytes(reply)))
                    .doFinally(signal -> end(answer));
        });
    }

    private static int bytes(SquareReply reply) {
        return BYTES_OF_A_REPLY + Long.BYTES * reply.count();
    }

    private synchronized void begin(Answer answer) {
        answers.add(answer);
    }

    private synchronized void waits(Answer answer, int more) {
        if (answers.contains(answer)) {
            answer.bytes += more;
            bytes += more;
        }
        for (Iterator<Answer> all = answers.iterator(); bytes > mostBytes && all.hasNext(); ) {
            Answer oldest = all.next();
            if (oldest.bytes > 0) {
                all.remove();
                bytes -= oldest.bytes;
                log.warn("Ends the connection of a user who does not read: {} bytes of replies wait", mostBytes);
                oldest.disconnect.run();
            }
        }
    }

    private synchronized void isRead(Answer answer, int less) {
        if (answers.remove(answer)) {
            answers.add(answer);
            answer.bytes -= less;
            bytes -= less;
        }
    }

    private synchronized void end(Answer answer) {
        if (answers.remove(answer)) {
            bytes -= answer.bytes;
        }
    }
}
