package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A dimension of a workload: its text for people, and its number for charts that draw lines over it. */
enum Axis {
    CALLS("calls a request", Dimension.CALLS),
    SIZE("calls a message", Dimension.SIZE),
    USERS(
            "users",
            "users",
            workload -> workload.load() instanceof Load.Users users ? users.count() : 0,
            workload -> workload.under(new Load.Users(1))),
    RATE(
            "requests/s",
            "rate",
            workload -> workload.load() instanceof Load.Rate rate ? rate.perSecond() : 0,
            workload -> workload.under(new Load.Rate(1))),
    PAYLOAD("bytes of payload", Dimension.PAYLOAD),
    DISTANCE("ms of distance", Dimension.DISTANCE),
    PUBLISHERS("publishers", Dimension.PUBLISHERS),
    CONSUMERS("consumers", Dimension.CONSUMERS),
    TOPICS("topics", Dimension.TOPICS),
    GROUPS("groups", Dimension.GROUPS);

    private final String title;
    private final String column;
    private final ToDoubleFunction<Workload> number;
    private final UnaryOperator<Workload> without;

    /**
     * @param column its name for programs
     * @param number its value; 0 if the workload has none
     * @param without replaces its value by a fixed one, so that workloads that differ only on this axis become equal
     */
    Axis(String title, String column, ToDoubleFunction<Workload> number, UnaryOperator<Workload> without) {
        this.title = title;
        this.column = column;
        this.number = number;
        this.without = without;
    }

    Axis(String title, Dimension dimension) {
        this(title, dimension.key(), workload -> workload.get(dimension), workload -> workload.with(dimension, 1));
    }

    String title() {
        return title;
    }

    String column() {
        return column;
    }

    double number(Workload workload) {
        return number.applyAsDouble(workload);
    }

    /** What is drawn over an axis. */
    enum Figure {
        COST("CPU a %s", "micros"),
        LATENCY("p50 of requests", "seconds"),
        DELIVERIES("Consumed messages a second", "rate"),
        MAKING("Time to make", "seconds");

        private final String title;
        final String unit;

        Figure(String title, String unit) {
            this.title = title;
            this.unit = unit;
        }

        String title(Workload workload) {
            return title.formatted(Axis.unit(workload));
        }

        /** The figure of a cell; empty if it has none, and for the cost, which is estimated. */
        Optional<Double> of(Cell cell) {
            return switch (this) {
                case COST -> Optional.empty();
                case LATENCY -> Optional.ofNullable(cell.requestLatency().p50());
                case DELIVERIES -> Optional.ofNullable(cell.queue()).map(QueueFigures::consumedPerSecond);
                case MAKING -> Optional.ofNullable(cell.queue()).map(QueueFigures::makeSeconds);
            };
        }
    }

    List<Figure> figures() {
        return switch (this) {
            case RATE, DISTANCE -> List.of(Figure.LATENCY);
            case TOPICS -> List.of(Figure.COST, Figure.DELIVERIES, Figure.MAKING);
            case GROUPS -> List.of(Figure.COST, Figure.DELIVERIES);
            default -> List.of(Figure.COST);
        };
    }

    /** Groups of cells that differ only in this axis and in their rows. */
    List<List<Cell>> lines(Collection<Cell> cells) {
        Map<Workload, List<Cell>> alike = cells.stream()
                .filter(cell -> number(cell.workload()) > 0)
                .sorted((a, b) -> Double.compare(number(a.workload()), number(b.workload())))
                .collect(Collectors.groupingBy(
                        cell -> without.apply(cell.workload()), LinkedHashMap::new, Collectors.toList()));
        return List.copyOf(alike.values());
    }

    /** "calls a request, 25 users" */
    String title(Workload workload) {
        return Numbers.joined(
                ", ",
                title,
                this == CALLS ? "" : calls(workload),
                this == USERS || this == RATE ? "" : load(workload),
                further(workload, this));
    }

    private static String calls(Workload workload) {
        return isQueue(workload)
                ? Numbers.counted(workload.calls(), "message") + " a run"
                : Numbers.counted(workload.calls(), "call") + " a request";
    }

    private static boolean isQueue(Workload workload) {
        return workload.exchange() == Exchange.QUEUE;
    }

    /** What the cost under a workload is the cost of: "call", or "message" of a queue. */
    static String unit(Workload workload) {
        return isQueue(workload) ? "message" : "call";
    }

    /** "25 users", "70 % of capacity" or "63 requests/s"; empty for a queue, which has always one user */
    private static String load(Workload workload) {
        if (isQueue(workload)) {
            return "";
        }
        if (workload.load() instanceof Load.Users users) {
            return Numbers.counted(users.count(), "user");
        }
        if (workload.load() instanceof Load.Rate rate) {
            return Numbers.rate(rate.perSecond()) + " requests/s";
        }
        return workload.load() instanceof Load.Share share
                ? Numbers.percent(share.ofCapacity()) + " of capacity"
                : Numbers.percent(((Load.ShareOfSlowest) workload.load()).ofCapacity())
                        + " of the slowest row's capacity";
    }

    /** What a workload has besides calls and load; empty for unary calls without a payload over loopback. */
    private static String further(Workload workload, Axis except) {
        String exchange = switch (workload.exchange()) {
            case UNARY -> "";
            case BATCH ->
                "in batches"
                        + (except == SIZE
                                ? ""
                                : " of " + Numbers.counted(workload.get(Dimension.SIZE), "call") + " a message");
            case STREAM -> "as a stream";
            case QUEUE ->
                Numbers.joined(
                        ", ",
                        "over a queue",
                        except == PUBLISHERS ? "" : Numbers.counted(workload.get(Dimension.PUBLISHERS), "publisher"),
                        except == CONSUMERS ? "" : Numbers.counted(workload.get(Dimension.CONSUMERS), "consumer"),
                        several(workload.get(Dimension.TOPICS), "topic", except == TOPICS),
                        several(workload.get(Dimension.GROUPS), "group", except == GROUPS));
        };
        return Numbers.joined(
                ", ",
                exchange,
                workload.payloadBytes() == 0 || except == PAYLOAD
                        ? ""
                        : Numbers.counted(workload.payloadBytes(), "byte") + " of payload",
                workload.distanceMillis() == 0 || except == DISTANCE
                        ? ""
                        : workload.distanceMillis() + " ms of distance");
    }

    private static String several(int number, String what, boolean left) {
        return number == 1 || left ? "" : Numbers.counted(number, what);
    }

    /** "1,000 calls a request, 8 users, in batches of 10 calls a message" */
    static String text(Workload workload) {
        return Numbers.joined(", ", calls(workload), load(workload), further(workload, CALLS));
    }
}
