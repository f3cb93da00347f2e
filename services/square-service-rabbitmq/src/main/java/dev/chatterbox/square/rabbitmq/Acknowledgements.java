package dev.chatterbox.square.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The acknowledgements of one channel's deliveries, in batches: one message to the server acknowledges every delivery
 * up to the last one before which none is unfinished. Thread-safe.
 */
final class Acknowledgements {

    private static final Logger log = LoggerFactory.getLogger(Acknowledgements.class);

    /** More bring nothing: one acknowledgement of 50 costs no more than a twentieth of a reply a delivery. */
    private static final int BATCH = 50;

    private final Channel channel;

    /** Finished, while one before was not. */
    private final Set<Long> early = new HashSet<>();

    /** Tags count from 1: all up to this one are finished, and up to that one the server knows. */
    private long finished;

    private long acknowledged;

    Acknowledgements(Channel channel) {
        this.channel = channel;
    }

    /** Notes that a delivery was answered, or never will be; twice is as once. */
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
        if (finished - acknowledged >= BATCH) {
            acknowledge();
        }
    }

    /** Acknowledges what is finished, if that is less than a batch too. */
    synchronized void acknowledge() {
        if (finished == acknowledged) {
            return;
        }
        try {
            channel.basicAck(finished, true);
            acknowledged = finished;
        } catch (IOException | AlreadyClosedException e) {
            // The server gives what was not acknowledged to another responder.
            log.debug("Not acknowledged", e);
        }
    }
}
