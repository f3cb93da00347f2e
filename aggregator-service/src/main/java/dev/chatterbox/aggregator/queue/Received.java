package dev.chatterbox.aggregator.queue;

import dev.chatterbox.proto.QueueReport;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What the responders have reported of a run. Thread-safe. */
final class Received {

    private final Map<Long, Instance> instances = new HashMap<>();

    /** One responder process. */
    private static final class Instance {

        private QueueReport latest = QueueReport.getDefaultInstance();

        /** Null until a last report has come. */
        private byte @Nullable [] @Nullable [] parts;

        private @Nullable Histogram oneWay;

        private void take(QueueReport report) {
            if (report.getSequence() > latest.getSequence()) {
                latest = report;
            }
            if (report.getParts() > 0 && report.getPart() >= 0 && report.getPart() < report.getParts()) {
                if (parts == null || parts.length != report.getParts()) {
                    parts = new byte[report.getParts()][];
                }
                parts[report.getPart()] = report.getNumbers().toByteArray();
                if (!report.getOneWay().isEmpty()) {
                    oneWay = decoded(report.getOneWay().asReadOnlyByteBuffer());
                }
            }
        }

        private static @Nullable Histogram decoded(ByteBuffer bytes) {
            try {
                return Histogram.decodeFromCompressedByteBuffer(bytes, 0);
            } catch (DataFormatException | IllegalArgumentException e) {
                return null;
            }
        }

        /** Which numbers were received; null until all parts have come. */
        private @Nullable BitSet numbers() {
            if (parts == null) {
                return null;
            }
            int length = 0;
            for (byte[] part : parts) {
                if (part == null) {
                    return null;
                }
                length += part.length;
            }
            ByteBuffer all = ByteBuffer.allocate(length);
            for (byte[] part : parts) {
                all.put(part);
            }
            return BitSet.valueOf(all.flip());
        }
    }

    /** @return how many more messages were received than were known before */
    synchronized long take(QueueReport report) {
        long before = messages();
        instances.computeIfAbsent(report.getInstance(), id -> new Instance()).take(report);
        return messages() - before;
    }

    /** How many messages were received, with what is doubled. */
    synchronized long messages() {
        return instances.values().stream()
                .mapToLong(instance -> instance.latest.getReceived())
                .sum();
    }

    /** How many different messages were received; one that came to two responders counts twice. */
    synchronized long distinct() {
        return instances.values().stream()
                .mapToLong(instance -> instance.latest.getReceived() - instance.latest.getDoubled())
                .sum();
    }

    /** How many responders take part. */
    synchronized int instances() {
        return instances.size();
    }

    /** How many of them have begun to consume. */
    synchronized int consuming() {
        return (int) instances.values().stream()
                .filter(instance -> instance.latest.getConsuming())
                .count();
    }

    /** How many responders have not yet said which numbers they received. */
    synchronized int missingBitmaps() {
        return (int) instances.values().stream()
                .filter(instance -> instance.numbers() == null)
                .count();
    }

    /** When the last message was received, in microseconds since 1970; 0 if none was. */
    synchronized long lastMicros() {
        return instances.values().stream()
                .mapToLong(instance -> instance.latest.getLast())
                .max()
                .orElse(0);
    }

    /** All numbers that were received. Only where no bitmap is missing. */
    synchronized BitSet numbers() {
        BitSet all = new BitSet();
        instances.values().forEach(instance -> all.or(Objects.requireNonNull(instance.numbers())));
        return all;
    }

    /** The sum of the squares of all different numbers. Only where no bitmap is missing. */
    synchronized long sum() {
        BitSet seen = new BitSet();
        long sum = 0;
        for (Instance instance : instances.values()) {
            BitSet again = Objects.requireNonNull(instance.numbers());
            sum += instance.latest.getSum();
            BitSet both = (BitSet) again.clone();
            both.and(seen);
            sum -= both.stream().mapToLong(number -> (long) number * number).sum();
            seen.or(again);
        }
        return sum;
    }

    /** Microseconds; null where no responder has the same clock. */
    synchronized @Nullable Histogram oneWay() {
        Histogram all = new Histogram(3);
        for (Instance instance : instances.values()) {
            if (instance.oneWay == null) {
                return null;
            }
            all.add(instance.oneWay);
        }
        return all;
    }
}
