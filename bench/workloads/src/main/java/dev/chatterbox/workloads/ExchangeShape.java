package dev.chatterbox.workloads;

import dev.chatterbox.transport.Exchange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * An exchange with what only some exchanges have.
 *
 * @param size calls that a message carries at most: 1 to 10000 in a batch, 1 otherwise
 * @param queue publishers, consumers, topics and groups of a queue; all zeros otherwise
 */
public record ExchangeShape(Exchange exchange, int size, QueueShape queue) implements Comparable<ExchangeShape> {

    public static final ExchangeShape UNARY = new ExchangeShape(Exchange.UNARY, 1, QueueShape.NONE);

    private static final int MAX_SIZE = 10_000;

    private static final Comparator<ExchangeShape> ORDER = Comparator.comparing(ExchangeShape::exchange)
            .thenComparing(ExchangeShape::size)
            .thenComparing(ExchangeShape::queue);

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
            queue.require();
        } else {
            Workload.require(
                    queue.equals(QueueShape.NONE),
                    "publishers, consumers, topics and groups are those of a queue, so %s has none",
                    exchange.text());
        }
    }

    public static ExchangeShape batch(int size) {
        return new ExchangeShape(Exchange.BATCH, size, QueueShape.NONE);
    }

    /** A call by call, a stream, or a batch of so many calls a message. */
    public static ExchangeShape of(Exchange exchange, int size) {
        return new ExchangeShape(exchange, size, QueueShape.NONE);
    }

    public static ExchangeShape of(QueueShape queue) {
        return new ExchangeShape(Exchange.QUEUE, 1, queue);
    }

    /**
     * Every exchange with each of its sizes, or with each shape of a queue.
     *
     * @param sizes must be empty if there is no batch, and not empty if there is one
     * @param queues must be empty if there is no queue; if it is empty, a queue has the default
     * @throws WorkloadException a value is out of range, or belongs to no exchange
     */
    public static List<ExchangeShape> all(List<Exchange> exchanges, List<Integer> sizes, List<QueueShape> queues) {
        Workload.require(
                exchanges.contains(Exchange.BATCH) != sizes.isEmpty(),
                "size, the number of calls in a message, goes with the exchange batch: name both or neither.");
        Workload.require(
                exchanges.contains(Exchange.QUEUE) || queues.isEmpty(),
                "publishers, consumers, topics and groups go with the exchange queue: name it, too.");
        List<ExchangeShape> all = new ArrayList<>();
        for (Exchange exchange : exchanges) {
            switch (exchange) {
                case BATCH -> sizes.forEach(size -> all.add(batch(size)));
                case QUEUE ->
                    (queues.isEmpty() ? List.of(QueueShape.DEFAULT) : queues).forEach(queue -> all.add(of(queue)));
                default -> all.add(of(exchange, 1));
            }
        }
        return all;
    }

    /** What the exchange alone does not say, as in a workload's text and in the aggregator's query. */
    List<String> parameters() {
        return switch (exchange) {
            case UNARY, STREAM -> List.of();
            case BATCH -> List.of("size=" + size);
            case QUEUE -> queue.parameters();
        };
    }

    @Override
    public int compareTo(ExchangeShape other) {
        return ORDER.compare(this, other);
    }
}
