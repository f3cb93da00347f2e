package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.client.SquareReply;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

/**
 * Bounds the replies that wait for users who do not read them, over all requests. Such a request is being answered no
 * longer once its last reply has come, so no other limit counts it. Above the bound, the answer whose user has not read
 * for the longest time is ended.
 *
 * <p>It counts what waits in this heap. Netty takes a reply as soon as it can be written, and what the sockets' own
 * buffers hold is memory of the kernel: Linux bounds it for each connection (net.ipv4.tcp_wmem, mostly 4 MB) and for
 * all of them (net.ipv4.tcp_mem), and says it to no program cheaply.
 */
final class UnreadReplies {

    private static final Logger log = LoggerFactory.getLogger(UnreadReplies.class);

    /** What a reply takes beside its squares: three objects, and a place in a queue. */
    private static final int BYTES_OF_A_REPLY = 64;

    private final long mostBytes;

    /**
     * The bytes that wait of each answer, in the order in which they were read last. A reply that comes after its
     * answer's end stays here until it is the oldest.
     */
    private final Map<Answer, Long> waiting = new LinkedHashMap<>();

    private long bytes;

    UnreadReplies(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * The replies, which wait until they are asked for.
     *
     * @param replies comes without being asked for
     * @param disconnect ends the user's connection
     */
    Flux<SquareReply> of(Flux<SquareReply> replies, Runnable disconnect) {
        Answer answer = new Answer(disconnect);
        return replies.doOnNext(reply -> waits(answer, bytes(reply)))
                .onBackpressureBuffer()
                .doOnSubscribe(subscription -> answer.replies = subscription)
                .doOnNext(reply -> isRead(answer, bytes(reply)))
                .doFinally(signal -> end(answer));
    }

    /** One answer, with the replies that wait for its user. */
    private static final class Answer {

        private final Runnable disconnect;

        @SuppressWarnings("NullAway.Init")
        private volatile Subscription replies;

        Answer(Runnable disconnect) {
            this.disconnect = disconnect;
        }

        /** Drops what waits, and ends the calls, at once: the connection's thread may have much else to do first. */
        void end() {
            replies.cancel();
            disconnect.run();
        }
    }

    private static long bytes(SquareReply reply) {
        return BYTES_OF_A_REPLY + (long) Long.BYTES * reply.count();
    }

    private void waits(Answer answer, long more) {
        Answer surplus = counted(answer, more);
        if (surplus != null) {
            log.warn("Ends the connection of a user who does not read: {} bytes of replies wait", mostBytes);
            surplus.end();
        }
    }

    /** @return the oldest answer, if too much waits now */
    private synchronized @Nullable Answer counted(Answer answer, long more) {
        waiting.merge(answer, more, Long::sum);
        bytes += more;
        if (bytes <= mostBytes) {
            return null;
        }
        Answer oldest = waiting.keySet().iterator().next();
        end(oldest);
        return oldest;
    }

    private synchronized void isRead(Answer answer, long less) {
        Long before = waiting.remove(answer);
        if (before != null) {
            bytes -= less;
            if (before > less) {
                waiting.put(answer, before - less);
            }
        }
    }

    private synchronized void end(Answer answer) {
        Long rest = waiting.remove(answer);
        if (rest != null) {
            bytes -= rest;
        }
    }
}
