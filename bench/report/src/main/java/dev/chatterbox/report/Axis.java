package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A dimension of a workload: its column in tables for programs, its words for people, and its numbers where lines are
 * drawn over it.
 *
 * <p>This is the one file of the report that a new dimension touches: it becomes a constant here, and all tables,
 * sentences and charts have it.
 */
enum Axis {
    EXCHANGE("exchange", "exchange", "exchanges") {
        @Override
        String value(Workload workload) {
            return workload.exchange().text();
        }

        @Override
        String words(Workload workload) {
            return switch (workload.exchange()) {
                case UNARY -> "";
                case BATCH -> "in batches";
                case STREAM -> "as a stream";
            };
        }
    },
    SIZE("size", "call", "calls a message") {
        @Override
        String value(Workload workload) {
            return Integer.toString(workload.size());
        }

        @Override
        String words(Workload workload) {
            return workload.exchange() == Exchange.BATCH ? Numbers.counted(workload.size(), "call") + " a message" : "";
        }

        @Override
        long number(Workload workload) {
            return workload.exchange() == Exchange.BATCH ? workload.size() : 0;
        }

        @Override
        List<Metric> metrics() {
            return List.of(Metric.CPU);
        }

        /** The same calls without batches. */
        @Override
        List<Workload> levels(Workload workload) {
            return List.of(workload.by(Exchange.UNARY, 1), workload.by(Exchange.STREAM, 1));
        }
    },
    CALLS("calls", "call", "calls a request") {
        @Override
        String value(Workload workload) {
            return Integer.toString(workload.calls());
        }

        @Override
        String words(Workload workload) {
            return Numbers.counted(workload.calls(), "call");
        }

        @Override
        long number(Workload workload) {
            return workload.calls();
        }
    },
    USERS("users", "user", "users") {
        @Override
        String value(Workload workload) {
            return workload.isOpen() ? "" : Long.toString(number(workload));
        }

        @Override
        String words(Workload workload) {
            return workload.isOpen() ? "" : Numbers.counted(number(workload), "user");
        }

        @Override
        long number(Workload workload) {
            return workload.load() instanceof Load.Users users ? users.count() : 0;
        }
    },
    RATE("rate", "request/s", "requests/s") {
        @Override
        String value(Workload workload) {
            return workload.isOpen() ? workload.load().toString().replace("rate=", "") : "";
        }

        @Override
        String words(Workload workload) {
            if (workload.load() instanceof Load.Share share) {
                return Numbers.percent(share.ofCapacity()) + " of capacity";
            }
            if (workload.load() instanceof Load.ShareOfSlowest share) {
                return Numbers.percent(share.ofCapacity()) + " of the slowest row's capacity";
            }
            return workload.load() instanceof Load.Rate rate ? Numbers.rate(rate.perSecond()) + " requests/s" : "";
        }
    },
    PAYLOAD("payload", "byte", "bytes of payload") {
        @Override
        String value(Workload workload) {
            return Integer.toString(workload.payloadBytes());
        }

        @Override
        String words(Workload workload) {
            return workload.payloadBytes() == 0 ? "" : Numbers.counted(workload.payloadBytes(), "byte") + " of payload";
        }

        @Override
        long number(Workload workload) {
            return workload.payloadBytes();
        }

        @Override
        List<Metric> metrics() {
            return List.of(Metric.CPU, Metric.CALLS);
        }

        /** The same without a payload. */
        @Override
        List<Workload> levels(Workload workload) {
            return List.of(workload.withPayload(0));
        }

        @Override
        String level(Workload workload) {
            return "at 0 bytes";
        }
    },
    DISTANCE("distance", "millisecond", "milliseconds of distance") {
        @Override
        String value(Workload workload) {
            return Integer.toString(workload.distanceMillis());
        }

        @Override
        String words(Workload workload) {
            return workload.distanceMillis() == 0 ? "" : workload.distanceMillis() + " ms of distance";
        }

        @Override
        long number(Workload workload) {
            return workload.distanceMillis();
        }

        @Override
        List<Metric> metrics() {
            return List.of(Metric.REQUEST_P50);
        }

        /** The same without a distance. */
        @Override
        List<Workload> levels(Workload workload) {
            return List.of(workload.withDistance(0));
        }

        @Override
        String level(Workload workload) {
            return "at 0 ms";
        }
    };

    private final String column;
    private final String unit;
    private final String title;

    /**
     * @param unit one of what {@link #number} counts
     * @param title what lines are drawn over
     */
    Axis(String column, String unit, String title) {
        this.column = column;
        this.unit = unit;
        this.title = title;
    }

    String column() {
        return column;
    }

    String unit() {
        return unit;
    }

    String title() {
        return title;
    }

    /** For programs; empty where the workload has none. */
    abstract String value(Workload workload);

    /** For people; empty where there is nothing to say, for the workload has none or what every workload once had. */
    abstract String words(Workload workload);

    /** The position on a logarithmic scale, for lines over this axis; 0 where the workload has none. */
    long number(Workload workload) {
        return 0;
    }

    /** What is drawn over this axis. */
    List<Metric> metrics() {
        return List.of(Metric.CALLS);
    }

    /** What stands beside the lines over this axis as a level, for it has no place on it. */
    List<Workload> levels(Workload workload) {
        return List.of();
    }

    /** What tells such a level from the others. */
    String level(Workload workload) {
        return workload.exchange().text();
    }

    private boolean isLoad() {
        return this == USERS || this == RATE;
    }

    /** "1,000 calls a request", and otherwise the words. */
    private String fullWords(Workload workload) {
        return this == CALLS ? words(workload) + " a request" : words(workload);
    }

    private static Stream<Axis> which(Predicate<Axis> which) {
        return Stream.of(values()).filter(which);
    }

    /** "100 users", "70 % of capacity" or "63 requests/s" */
    static String load(Workload workload) {
        return which(Axis::isLoad).map(axis -> axis.words(workload)).collect(Collectors.joining());
    }

    /** All but the load: "1,000 calls a request" */
    static String shape(Workload workload) {
        return joined(Stream.concat(
                Stream.of(CALLS.fullWords(workload)), which(Axis::isFurther).map(axis -> axis.words(workload))));
    }

    private boolean isFurther() {
        return this != CALLS && !isLoad();
    }

    /** What is neither calls nor load; empty for unary calls without a payload over loopback. */
    static String further(Workload workload) {
        return joined(which(Axis::isFurther).map(axis -> axis.words(workload)));
    }

    /** "1,000 calls a request and 100 users" */
    static String text(Workload workload) {
        return withFurther(CALLS.fullWords(workload) + " and " + load(workload), workload);
    }

    /** "1,000 calls, 100 users" */
    static String brief(Workload workload) {
        return withFurther(callsAndLoad(workload), workload);
    }

    /** The same without {@link #further}, for a column below a title that has it. */
    static String callsAndLoad(Workload workload) {
        return CALLS.words(workload) + ", " + load(workload);
    }

    /** Some words for a workload, with what they leave out. */
    static String withFurther(String text, Workload workload) {
        return further(workload).isEmpty() ? text : text + " (" + further(workload) + ")";
    }

    /** For a narrow column: "1000 × 100" (calls × users), "1000 @ 63" (calls @ requests/s) */
    static String narrow(Cell cell) {
        Workload workload = cell.workload();
        String rate = cell.arrivalRate() == null
                ? RATE.value(workload)
                : Numbers.tight(Numbers.rate(Numbers.orNaN(cell.arrivalRate())));
        return workload.isOpen() ? workload.calls() + " @ " + rate : workload.calls() + " × " + USERS.number(workload);
    }

    private static String joined(Stream<String> words) {
        return words.filter(word -> !word.isEmpty()).collect(Collectors.joining(", "));
    }

    /** The workloads that differ in their load only, in their order: a panel of a chart for each. */
    static List<List<Workload>> byShape(List<Workload> workloads) {
        return List.copyOf(workloads.stream()
                .collect(Collectors.groupingBy(
                        workload -> workload.under(new Load.Users(1)), LinkedHashMap::new, Collectors.toList()))
                .values());
    }

    /**
     * Workloads that differ in one axis only.
     *
     * @param title "calls a request, 100 users"
     * @param workloads ascending on the axis
     */
    record AxisLine(Axis axis, String title, List<Workload> workloads) {

        /** Where the workloads are on the axis. */
        List<Long> numbers() {
            return workloads.stream().map(axis::number).toList();
        }

        /** What stands beside them as a level. */
        List<Workload> levels() {
            return axis.levels(workloads.get(0));
        }
    }

    /** The lines with two points or more that can be drawn over this axis. */
    List<AxisLine> lines(List<Workload> workloads) {
        Map<List<String>, List<Workload>> others = workloads.stream()
                .filter(workload -> number(workload) > 0)
                .sorted((a, b) -> Long.compare(number(a), number(b)))
                .collect(Collectors.groupingBy(
                        workload -> which(axis -> axis != this)
                                .map(axis -> axis.value(workload))
                                .toList(),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return others.values().stream()
                .filter(line -> line.size() > 1)
                .sorted((a, b) -> a.get(0).compareTo(b.get(0)))
                .map(line -> new AxisLine(this, title(line.get(0)), line))
                .toList();
    }

    private String title(Workload workload) {
        return title + ", " + joined(which(axis -> axis != this).map(axis -> axis.fullWords(workload)));
    }
}
