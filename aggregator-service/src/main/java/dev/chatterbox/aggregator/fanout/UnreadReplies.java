package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.client.SquareReply;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
     * The bytes that wait of each answer, which its disconnection stands for, in the order in which they were read
     * last. A reply that comes after its answer's end stays here until it is the oldest.
     */
    private final Map<Runnable, Long> waiting = new LinkedHashMap<>();

    private long bytes;

    UnreadReplies(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * The replies, which wait until they are asked for.
     *
     * @param replies comes without being asked for
     * @param disconnect ends the user's connection, which cancels this; each answer has its own
     */
    Flux<SquareReply> of(Flux<SquareReply> replies, Runnable disconnect) {
        return replies.doOnNext(reply -> waits(disconnect, bytes(reply)))
                .onBackpressureBuffer()
                .doOnNext(reply -> isRead(disconnect, bytes(reply)))
                .doFinally(signal -> end(disconnect));
    }

    private static long bytes(SquareReply reply) {
        return BYTES_OF_A_REPLY + (long) Long.BYTES * reply.count();
    }

    private void waits(Runnable answer, long more) {
        Runnable surplus = counted(answer, more);
        if (surplus != null) {
            log.warn("Ends the connection of a user who does not read: {} bytes of replies wait", mostBytes);
            surplus.run();
        }
    }

    /** @return the oldest answer, if too much waits now */
    private synchronized @Nullable Runnable counted(Runnable answer, long more) {
        waiting.merge(answer, more, Long::sum);
        bytes += more;
        if (bytes <= mostBytes) {
            return null;
        }
        Runnable oldest = waiting.keySet().iterator().next();
        end(oldest);
        return oldest;
    }

    private synchronized void isRead(Runnable answer, long less) {
        Long before = waiting.remove(answer);
        if (before != null) {
            bytes -= less;
            if (before > less) {
                waiting.put(answer, before - less);
            }
        }
    }

    private synchronized void end(Runnable answer) {
        Long left = waiting.remove(answer);
        if (left != null) {
            bytes -= left;
        }
    }
}
