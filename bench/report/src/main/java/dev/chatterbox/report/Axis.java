package dev.chatterbox.report;

import dev.chatterbox.report.tables.Numbers;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.results.Sums;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A dimension of a workload: its text for people, and its number for charts that draw lines over it. */
enum Axis {
    CALLS("calls a request", Dimension.CALLS),
    SIZE("calls a message", Dimension.SIZE),
    USERS(
            "users",
            workload -> workload.load() instanceof Load.Users users ? users.count() : 0,
            workload -> workload.under(new Load.Users(1))),
    RATE(
            "requests/s",
            workload -> workload.load() instanceof Load.Rate rate ? rate.perSecond() : 0,
            workload -> workload.under(new Load.Rate(1))),
    PAYLOAD("bytes of payload", Dimension.PAYLOAD),
    DISTANCE("ms of distance", Dimension.DISTANCE),
    PUBLISHERS("publishers", Dimension.PUBLISHERS),
    CONSUMERS("consumers", Dimension.CONSUMERS),
    TOPICS("topics", Dimension.TOPICS),
    GROUPS("groups", Dimension.GROUPS);

    private final String title;
    private final ToDoubleFunction<Workload> number;
    private final UnaryOperator<Workload> without;

    /**
     * @param number its value; 0 if the workload has none
     * @param without replaces its value by a fixed one, so that workloads that differ only on this axis become equal
     */
    Axis(String title, ToDoubleFunction<Workload> number, UnaryOperator<Workload> without) {
        this.title = title;
        this.number = number;
        this.without = without;
    }

    Axis(String title, Dimension dimension) {
        this(title, workload -> workload.get(dimension), workload -> workload.with(dimension, 1));
    }

    String title() {
        return title;
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

        /** The figure of a cell; NaN if it has none. */
        Estimate of(Cell cell, Estimator estimator) {
            QueueFigures queue = cell.queue();
            return switch (this) {
                case COST -> estimator.figure(Sums.cpu(cell));
                case LATENCY -> cell.figure(cell.requestLatency().p50());
                case DELIVERIES -> cell.figure(queue == null ? null : queue.consumedPerSecond());
                case MAKING -> cell.figure(queue == null ? null : queue.makeSeconds());
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

    /** Groups of cells that differ only in this axis and in their variants. */
    Collection<List<Cell>> lines(Collection<Cell> cells) {
        return cells.stream()
                .filter(cell -> number(cell.workload()) > 0)
                .sorted(Comparator.comparingDouble(cell -> number(cell.workload())))
                .collect(Collectors.groupingBy(
                        cell -> without.apply(cell.workload()), LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    /** What the cost under a workload is the cost of: "call", or "message" of a queue. */
    static String unit(Workload workload) {
        return workload.mode() == CallMode.QUEUE ? "message" : "call";
    }

    /** "calls a request, 25 users" */
    String title(Workload workload) {
        return Numbers.joined(", ", title, text(workload, this));
    }

    /** "1,000 calls a request, 8 users, in batches of 10 calls a message" */
    static String text(Workload workload) {
        return text(workload, null);
    }

    /** The text without what lies on one axis. */
    private static String text(Workload workload, @Nullable Axis except) {
        boolean isQueue = workload.mode() == CallMode.QUEUE;
        boolean hasLoad = !isQueue && except != USERS && except != RATE;
        boolean hasPayload = workload.payloadBytes() > 0 && except != PAYLOAD;
        String by = switch (workload.mode()) {
            case UNARY -> "";
            case BATCH ->
                "in batches" + counted(except != SIZE, " of ", workload.get(Dimension.SIZE), "call", " a message");
            case STREAM -> "as a stream";
            case QUEUE -> "over a queue";
        };
        return Numbers.joined(
                ", ",
                counted(except != CALLS, "", workload.calls(), unit(workload), isQueue ? " a run" : " a request"),
                hasLoad ? load(workload.load()) : "",
                by,
                counted(isQueue && except != PUBLISHERS, "", workload.get(Dimension.PUBLISHERS), "publisher", ""),
                counted(isQueue && except != CONSUMERS, "", workload.get(Dimension.CONSUMERS), "consumer", ""),
                several(TOPICS, workload, "topic", except),
                several(GROUPS, workload, "group", except),
                counted(hasPayload, "", workload.payloadBytes(), "byte", " of payload"),
                workload.distanceMillis() > 0 && except != DISTANCE
                        ? workload.distanceMillis() + " ms of distance"
                        : "");
    }

    private static String several(Axis axis, Workload workload, String noun, @Nullable Axis except) {
        int number = (int) axis.number(workload);
        return counted(number > 1 && axis != except, "", number, noun, "");
    }

    private static String counted(boolean shown, String before, int number, String noun, String after) {
        return shown ? before + Numbers.counted(number, noun) + after : "";
    }

    /** "25 users", "70 % of capacity" or "63 requests/s" */
    private static String load(Load load) {
        if (load instanceof Load.Users users) {
            return Numbers.counted(users.count(), "user");
        }
        if (load instanceof Load.Rate rate) {
            return Numbers.rate(rate.perSecond()) + " requests/s";
        }
        return load instanceof Load.Share share
                ? Numbers.percent(share.ofCapacity()) + " of capacity"
                : Numbers.percent(((Load.ShareOfSlowest) load).ofCapacity()) + " of the slowest variant's capacity";
    }
}
