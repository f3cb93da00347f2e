package dev.chatterbox.workloads;

import dev.chatterbox.transport.Exchange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * An exchange with what only some exchanges have.
 *
 * @param size calls that a message carries at most: 1 to 10000 in a batch, 1 otherwise
 * @param publishers how many messages of a queue are published and not yet acknowledged: 1 to 1000; 0 otherwise
 * @param consumers a queue's consumers in each responder: 1 to 16; 0 otherwise
 */
public record ExchangeShape(Exchange exchange, int size, int publishers, int consumers)
        implements Comparable<ExchangeShape> {

    public static final ExchangeShape UNARY = new ExchangeShape(Exchange.UNARY, 1, 0, 0);

    private static final int MAX_SIZE = 10_000;
    private static final int MAX_PUBLISHERS = 1_000;
    private static final int MAX_CONSUMERS = 16;

    /** The aggregator's own defaults. */
    static final int PUBLISHERS = 250;

    static final int CONSUMERS = 1;

    private static final Comparator<ExchangeShape> ORDER = Comparator.comparing(ExchangeShape::exchange)
            .thenComparing(ExchangeShape::size)
            .thenComparing(ExchangeShape::publishers)
            .thenComparing(ExchangeShape::consumers);

    public ExchangeShape {
        Workload.require(
                size >= 1 && size <= MAX_SIZE,
                "size must be 1 to " + MAX_SIZE + " calls a message, but it is %s",
                size);
        Workload.require(
                exchange == Exchange.BATCH || size == 1,
                "size is the number of calls in a message of a batch, so %s has none",
                exchange.text());
        if (exchange == Exchange.QUEUE) {
            requireRange("publishers", publishers, MAX_PUBLISHERS);
            requireRange("consumers", consumers, MAX_CONSUMERS);
        } else {
            Workload.require(
                    publishers == 0 && consumers == 0,
                    "publishers and consumers are those of a queue, so %s has none",
                    exchange.text());
        }
    }

    private static void requireRange(String what, int value, int most) {
        Workload.require(value >= 1 && value <= most, "%s must be 1 to %s, but it is %s", what, most, value);
    }

    public static ExchangeShape batch(int size) {
        return new ExchangeShape(Exchange.BATCH, size, 0, 0);
    }

    public static ExchangeShape queue(int publishers, int consumers) {
        return new ExchangeShape(Exchange.QUEUE, 1, publishers, consumers);
    }

    /**
     * Every exchange with each of its sizes, or with each of its publishers and consumers.
     *
     * @param sizes must be empty if there is no batch, and not empty if there is one
     * @param publishers must be empty if there is no queue; if it is empty, a queue has the default
     * @param consumers likewise
     * @throws WorkloadException a value is out of range, or belongs to no exchange
     */
    public static List<ExchangeShape> all(
            List<Exchange> exchanges, List<Integer> sizes, List<Integer> publishers, List<Integer> consumers) {
        Workload.require(
                exchanges.contains(Exchange.BATCH) != sizes.isEmpty(),
                "size, the number of calls in a message, goes with the exchange batch: name both or neither.");
        Workload.require(
                exchanges.contains(Exchange.QUEUE) || publishers.isEmpty() && consumers.isEmpty(),
                "publishers and consumers go with the exchange queue: name it, too.");
        List<ExchangeShape> all = new ArrayList<>();
        for (Exchange exchange : exchanges) {
            switch (exchange) {
                case BATCH -> sizes.forEach(size -> all.add(batch(size)));
                case QUEUE ->
                    or(publishers, PUBLISHERS)
                            .forEach(publishing -> or(consumers, CONSUMERS)
                                    .forEach(consuming -> all.add(queue(publishing, consuming))));
                default -> all.add(new ExchangeShape(exchange, 1, 0, 0));
            }
        }
        return all;
    }

    private static List<Integer> or(List<Integer> values, int byDefault) {
        return values.isEmpty() ? List.of(byDefault) : values;
    }

    /** What the exchange alone does not say, as in a workload's text and in the aggregator's query. */
    List<String> parameters() {
        return switch (exchange) {
            case UNARY, STREAM -> List.of();
            case BATCH -> List.of("size=" + size);
            case QUEUE -> List.of("publishers=" + publishers, "consumers=" + consumers);
        };
    }

    @Override
    public int compareTo(ExchangeShape other) {
        return ORDER.compare(this, other);
    }
}
