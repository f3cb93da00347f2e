package dev.chatterbox.square.common;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.proto.Messages;
import dev.chatterbox.proto.QueueMessage;
import dev.chatterbox.proto.QueueReport;
import dev.chatterbox.proto.QueueRun;
import dev.chatterbox.queue.QueueClock;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.Spread;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one group of this responder has consumed of one run. Messages may come on several threads; all else happens on
 * the thread of {@link QueueResponder}.
 */
final class ConsumedRun {

    /** After so many messages there is a report at once, because a requester without acknowledgements waits for it. */
    static final int REPORT_EACH = 1_024;

    private static final Logger log = LoggerFactory.getLogger(ConsumedRun.class);

    /** The most bytes of numbers in a report: brokers take messages of this size by default. */
    private static final int PART = 64 << 10;

    private final QueueRun run;
    private final Spread spread;
    private final int group;
    private final SquareResponder responder;
    private final Consumer<ConsumedRun> reportNow;
    private final long instance = ThreadLocalRandom.current().nextLong();
    private final BitSet numbers = new BitSet();

    /** Microseconds; null if the requester's clock is another one. */
    private final @Nullable Histogram oneWay;

    private long received;
    private long doubled;
    private long sum;
    private long outOfOrder;

    /** The highest number by topic. */
    private final int[] highest;

    private long first;
    private long last;
    private int sequence;
    private long reported = -1;
    private @Nullable AutoCloseable consuming;
    private @Nullable QueueConnection over;

    /**
     * @param group from 0
     * @param reportNow takes this run on a consumer's thread
     */
    ConsumedRun(QueueRun run, int group, SquareResponder responder, Consumer<ConsumedRun> reportNow) {
        this.run = run;
        this.group = group;
        spread = Spread.of(run.getTopics(), run.getGroups());
        highest = new int[spread.topics()];
        this.responder = responder;
        this.reportNow = reportNow;
        boolean sameClock = !run.getBoot().isEmpty() && run.getBoot().equals(QueueClock.bootId());
        oneWay = sameClock ? new Histogram(3) : null;
    }

    /** Consumes over this connection, if it does not yet. */
    void consume(QueueConnection connection) {
        if (over == connection) {
            return;
        }
        stopConsuming();
        try {
            consuming = connection.consume(spread, group, run.getConsumers(), this::take);
            over = connection;
            reported = -1;
        } catch (Exception e) {
            log.warn("The queue cannot be consumed: {}", e.toString());
        }
    }

    /** Consumes no more for now. */
    void hold() {
        stopConsuming();
        over = null;
    }

    void stopConsuming() {
        AutoCloseable open = consuming;
        consuming = null;
        if (open != null) {
            try {
                open.close();
            } catch (Exception e) {
                log.debug("The connection is gone", e);
            }
        }
    }

    /** Counts a message, or refuses one that is not of this run. */
    void take(byte[] body) {
        QueueMessage message;
        try {
            message = Messages.parse(QueueMessage.parser(), body);
        } catch (InvalidProtocolBufferException e) {
            responder.refuse("the body is not a square.QueueMessage: " + e.getMessage());
            return;
        }
        int number = message.getNumber();
        if (message.getRun() != run.getRun()
                || number < 1
                || number > run.getN()
                || message.getPayload().size() != run.getPayload()) {
            responder.refuse("a message of the queue that belongs to no run, or has no payload of " + run.getPayload()
                    + " bytes: number " + number);
            return;
        }
        long square = responder.consume(number);
        if (square > 0 && count(number, square, message.getMade(), QueueClock.micros()) % REPORT_EACH == 0) {
            reportNow.accept(this);
        }
    }

    private synchronized long count(int number, long square, long made, long now) {
        if (received == 0) {
            first = now;
        }
        last = now;
        received++;
        if (numbers.get(number)) {
            doubled++;
        } else {
            numbers.set(number);
            sum += square;
            int topic = number % highest.length;
            if (number < highest[topic]) {
                outOfOrder++;
            } else {
                highest[topic] = number;
            }
        }
        if (oneWay != null) {
            oneWay.recordValue(Math.max(0, now - made));
        }
        return received;
    }

    /** The first report, before anything is consumed. */
    synchronized QueueReport announcement() {
        return next().build();
    }

    /** What is new since the last report; null if nothing is. */
    synchronized @Nullable QueueReport report() {
        if (received == reported || over == null) {
            return null;
        }
        reported = received;
        return next().build();
    }

    /** The reports after the end of the run. */
    synchronized List<QueueReport> lastReports() {
        byte[] all = numbers.toByteArray();
        int parts = Math.max(1, (all.length + PART - 1) / PART);
        List<QueueReport> reports = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            int from = part * PART;
            QueueReport.Builder report = next().setParts(parts)
                    .setPart(part)
                    .setNumbers(ByteString.copyFrom(all, from, Math.min(PART, all.length - from)));
            if (part == 0 && oneWay != null) {
                report.setOneWay(encoded(oneWay));
            }
            reports.add(report.build());
        }
        return reports;
    }

    private static ByteString encoded(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return ByteString.copyFrom(bytes.array(), 0, length);
    }

    private QueueReport.Builder next() {
        return QueueReport.newBuilder()
                .setRun(run.getRun())
                .setInstance(instance)
                .setSequence(++sequence)
                .setConsuming(over != null)
                .setReceived(received)
                .setDoubled(doubled)
                .setOutOfOrder(outOfOrder)
                .setGroup(group)
                .setSum(sum)
                .setFirst(first)
                .setLast(last);
    }
}
