package dev.chatterbox.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The acknowledgements of one channel's deliveries, in batches. One message to the server acknowledges all deliveries
 * before the first unfinished one. Thread-safe.
 */
final class Acknowledgements {

    private static final Logger log = LoggerFactory.getLogger(Acknowledgements.class);

    private final Channel channel;
    private final int batch;

    /** Deliveries that are finished although an earlier one is not. */
    private final Set<Long> early = new HashSet<>();

    /** Tags count from 1. All up to this one are finished; the server knows this up to {@link #acknowledged}. */
    private long finished;

    private long acknowledged;

    /** @param batch so many finished deliveries are acknowledged at once */
    Acknowledgements(Channel channel, int batch) {
        this.channel = channel;
        this.batch = batch;
    }

    /** Notes that a delivery was answered, or never will be. A second call for the same tag has no effect. */
    synchronized void finished(long tag) {
        if (tag <= finished) {
            return;
        }
        if (tag != finished + 1) {
            early.add(tag);
            return;
        }
        finished = tag;
        while (!early.isEmpty() && early.remove(finished + 1)) {
            finished++;
        }
        if (finished - acknowledged >= batch) {
            acknowledge();
        }
    }

    /** Whether all deliveries up to this one are finished. */
    synchronized boolean haveAll(long tag) {
        return finished >= tag;
    }

    /** Acknowledges the finished deliveries, even if they are less than a batch. */
    synchronized void acknowledge() {
        if (finished == acknowledged) {
            return;
        }
        try {
            channel.basicAck(finished, true);
            acknowledged = finished;
        } catch (IOException | AlreadyClosedException e) {
            // The server delivers the unacknowledged requests to another responder.
            log.debug("Not acknowledged", e);
        }
    }
}
