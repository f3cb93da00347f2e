package dev.chatterbox.aggregator.queue;

import dev.chatterbox.proto.QueueReport;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What the responders have reported of a run. Thread-safe. */
final class Received {

    private final int groups;
    private final Map<Long, Instance> instances = new HashMap<>();

    /** One group of one responder process. */
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

        /** From 0. */
        private int group(int groups) {
            return Math.max(0, Math.min(latest.getGroup(), groups - 1));
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

    /** @param groups of consumers, each of which receives each message */
    Received(int groups) {
        this.groups = groups;
    }

    /** @return how many more messages each group has received, by now, than was known before */
    synchronized long take(QueueReport report) {
        long before = fewest();
        instances.computeIfAbsent(report.getInstance(), id -> new Instance()).take(report);
        return fewest() - before;
    }

    /** How many messages the group that is furthest behind has received, with what is doubled. */
    synchronized long fewest() {
        long[] received = new long[groups];
        instances.values().forEach(instance -> received[instance.group(groups)] += instance.latest.getReceived());
        return LongStream.of(received).min().orElse(0);
    }

    /** How many groups have a responder that consumes. */
    synchronized int consumingGroups() {
        return (int) instances.values().stream()
                .filter(instance -> instance.latest.getConsuming())
                .mapToInt(instance -> instance.group(groups))
                .distinct()
                .count();
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

    /** How many messages came after one with a higher number of the same topic. */
    synchronized long outOfOrder() {
        return instances.values().stream()
                .mapToLong(instance -> instance.latest.getOutOfOrder())
                .sum();
    }

    /** How many groups of responders take part. */
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

    /** All numbers that were received, by group. Only where no bitmap is missing. */
    synchronized List<BitSet> numbers() {
        List<BitSet> all = Stream.generate(BitSet::new).limit(groups).toList();
        instances
                .values()
                .forEach(instance -> all.get(instance.group(groups)).or(Objects.requireNonNull(instance.numbers())));
        return all;
    }

    /** The sum of the squares of all different numbers, over all groups. Only where no bitmap is missing. */
    synchronized long sum() {
        List<BitSet> all = Stream.generate(BitSet::new).limit(groups).toList();
        long sum = 0;
        for (Instance instance : instances.values()) {
            BitSet seen = all.get(instance.group(groups));
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
