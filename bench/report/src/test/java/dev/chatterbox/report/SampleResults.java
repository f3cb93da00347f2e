package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Environment.RowSettings;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Figures.MemoryUse;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.Round;
import dev.chatterbox.results.RoundTrip;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Results as a comparison writes them. MADE-UP TEST DATA: a crude model with a fixed seed, in the magnitudes of a
 * 2-core machine; nothing here was measured.
 */
final class SampleResults {

    /** A made-up row: costs in CPU-µs per call and per request, seconds of its own latency. */
    record SampleRow(
            String name,
            String kind,
            String delivery,
            double aggregator,
            double responder,
            double broker,
            double batching,
            double delay,
            double raw) {

        SampleRow named(String other) {
            return new SampleRow(other, kind, delivery, aggregator, responder, broker, batching, delay, raw);
        }
    }

    static final SampleRow REST = new SampleRow("rest", "direct", "direct, at most once", 49, 40, 0, 0, 0.0003, 79_000);
    static final SampleRow NATS =
            new SampleRow("nats", "broker", "at most once, nothing stored", 6.1, 1.4, 3.9, 40, 0.0005, 345_000);
    static final SampleRow KAFKA =
            new SampleRow("kafka", "log", "stored, at least once", 6.9, 3.4, 4.3, 60, 0.0023, 410_000);

    private static final double CORES = 2;

    private final Random random;
    private final String preset;
    private final List<SampleRow> rows;
    private final Map<String, Map<String, Object>> settings = new LinkedHashMap<>();
    private final Map<String, String> flags = new LinkedHashMap<>(Map.of("aggregator-service", "-Xms512m -Xmx512m"));
    private final Map<String, Map<String, Object>> faults = new LinkedHashMap<>();
    private String name;
    private String processor = "a made-up processor";
    private String jdk = "17.0.15";
    private boolean interrupted;
    private double noise = 0.02;
    private double machine = 1;
    private int rounds = 7;
    private List<Cell> cells = new ArrayList<>();
    private List<RawLimit> rawLimits = List.of();
    private Counts counts = new Counts(0, Map.of(), Map.of(), Map.of(), true);
    private List<RoundTrip> roundTrips = List.of();
    private List<String> gatling = List.of();

    private SampleResults(String preset, long seed, SampleRow... rows) {
        this.rows = List.of(rows);
        this.random = new Random(seed);
        this.preset = preset;
        this.name = preset + " (made-up test data)";
        for (SampleRow row : rows) {
            Map<String, Object> of = new LinkedHashMap<>();
            of.put("connections", row.broker() > 0 ? 1 : 128);
            if (row.broker() > 0) {
                of.put("flush", "batched");
            }
            of.put("delivery", row.delivery());
            settings.put(row.name(), of);
        }
    }

    static SampleResults of(String preset, long seed, SampleRow... rows) {
        return new SampleResults(preset, seed, rows);
    }

    /** What {@code ./chatterbox} without a word measures. */
    static SampleResults quick(long seed) {
        return of("quick", seed, REST, NATS, KAFKA)
                .closed(List.of(1, 100, 1000), List.of(100))
                .rawLimits()
                .counts()
                .gatling();
    }

    static SampleResults full(long seed) {
        return of("full", seed, REST, NATS, KAFKA)
                .closed(List.of(1, 10, 100, 1000), List.of(1, 10, 100))
                .open(List.of(1, 10, 100, 1000), List.of(0.5, 0.7, 0.9))
                .rawLimits()
                .counts()
                .gatling();
    }

    SampleResults name(String name) {
        this.name = name;
        return this;
    }

    SampleResults processor(String processor) {
        this.processor = processor;
        return this;
    }

    SampleResults jdk(String jdk) {
        this.jdk = jdk;
        return this;
    }

    SampleResults noise(double noise) {
        this.noise = noise;
        return this;
    }

    /** @param costs how many times as much everything costs */
    SampleResults machine(double costs) {
        this.machine = costs;
        return this;
    }

    SampleResults rounds(int rounds) {
        this.rounds = rounds;
        return this;
    }

    SampleResults interrupted() {
        this.interrupted = true;
        return this;
    }

    SampleResults setting(String row, String setting, Object value) {
        settings.computeIfAbsent(row, r -> new LinkedHashMap<>()).put(setting, value);
        return this;
    }

    SampleResults flags(String process, String value) {
        flags.put(process, value);
        return this;
    }

    SampleResults fault(String responder, String fault, Object value) {
        faults.put(responder, Map.of(fault, value));
        return this;
    }

    SampleResults cells(UnaryOperator<List<Cell>> change) {
        cells = new ArrayList<>(change.apply(cells));
        return this;
    }

    /** Changes every round of some cells, and the medians with them. */
    SampleResults rounds(String row, UnaryOperator<Round> change) {
        return cells(all -> all.stream()
                .map(cell -> cell.row().equals(row)
                        ? cell(cell, cell.rounds().stream().map(change).toList())
                        : cell)
                .toList());
    }

    /** Marks a cell and all its rounds. */
    SampleResults invalid(String row, int calls, String reason) {
        return cells(all -> all.stream()
                .map(cell -> cell.row().equals(row) && cell.workload().calls() == calls
                        ? cell(
                                cell,
                                cell.rounds().stream()
                                        .map(round -> round.withReasons(List.of(reason)))
                                        .toList())
                        : cell)
                .toList());
    }

    /** Marks a row's cells with so many calls as shown and not ranked. */
    SampleResults notRanked(String row, int calls, Cell.NotRanked why) {
        return cells(all -> all.stream()
                .map(cell -> cell.row().equals(row) && cell.workload().calls() == calls
                        ? new Cell(
                                row,
                                cell.kind(),
                                cell.workload(),
                                cell.arrivalRate(),
                                cell.valid(),
                                why,
                                0.2,
                                cell.rounds(),
                                cell.median(),
                                cell.spread())
                        : cell)
                .toList());
    }

    SampleResults closed(List<Integer> calls, List<Integer> users) {
        for (int n : calls) {
            for (int u : users) {
                measure(Workload.unary(n, new Load.Users(u)));
            }
        }
        return this;
    }

    SampleResults open(List<Integer> calls, List<Double> shares) {
        for (int n : calls) {
            for (double share : shares) {
                measure(Workload.unary(n, new Load.Share(share)));
            }
        }
        return this;
    }

    /** A network puts in a little more than what was asked for. */
    SampleResults roundTrips(int... millis) {
        List<RoundTrip> all = new ArrayList<>();
        for (SampleRow row : rows) {
            for (int asked : millis) {
                all.add(new RoundTrip("link-of-" + row.name(), asked, asked / 1e3 + 0.00021, asked / 1e3 + 0.00146));
            }
        }
        roundTrips = all;
        return this;
    }

    /** In their text form. */
    SampleResults workloads(String workloads) {
        Workload.parseAll(workloads).forEach(this::measure);
        return this;
    }

    private void measure(Workload workload) {
        for (SampleRow row : rows) {
            List<Round> measured = new ArrayList<>();
            for (int i = 1; i <= rounds; i++) {
                measured.add(round(row, i, workload));
            }
            Double rate = workload.isOpen() ? (Double) (capacity(row, workload) * share(workload)) : null;
            cells.add(cell(
                    new Cell(
                            row.name(),
                            row.kind(),
                            workload,
                            rate,
                            true,
                            Cell.NotRanked.NOTHING,
                            0.01,
                            measured,
                            Figures.NONE,
                            Cell.Spread.NONE),
                    measured));
        }
    }

    private static Cell cell(Cell cell, List<Round> rounds) {
        boolean valid = rounds.stream().allMatch(Round::valid);
        return new Cell(
                cell.row(),
                cell.kind(),
                cell.workload(),
                cell.arrivalRate(),
                valid,
                cell.notRanked(),
                cell.idleShare(),
                rounds,
                median(rounds.stream().map(Round::figures).toList()),
                Cell.Spread.NONE);
    }

    private static int users(Workload workload) {
        return workload.load() instanceof Load.Users users ? users.count() : 100;
    }

    private static double share(Workload workload) {
        return workload.load() instanceof Load.Share share ? share.ofCapacity() : 1;
    }

    /** Calls that wait together, and are sent together. */
    private static double together(Workload workload) {
        return Math.max(1, Math.min(1000, (double) workload.calls() * users(workload) / 4));
    }

    /** The part of a single call's costs that remains where it shares a message. */
    private static double alone(Workload workload) {
        return switch (workload.exchange()) {
            case UNARY -> 1;
            case BATCH -> 0.02 + 1.1 / workload.size();
            case STREAM -> 0.3;
        };
    }

    /** Requests per second: what the processors allow, or what the waiting of so many users does. */
    private static double capacity(SampleRow row, Workload workload) {
        double perCall = 180.0 / workload.calls()
                + 1.1
                + (row.aggregator() + row.responder() + row.broker() + row.batching() / together(workload))
                        * alone(workload)
                + workload.payloadBytes() / 1000.0;
        double cpu = perCall * workload.calls();
        double waiting = row.delay() + workload.distanceMillis() / 1e3 + cpu / 1e6 / CORES;
        return Math.min(CORES * 1e6 / cpu, users(workload) / waiting);
    }

    private double around(double value) {
        return value * (1 + noise * Math.max(-2, Math.min(2, random.nextGaussian())));
    }

    private Round round(SampleRow row, int number, Workload workload) {
        int calls = workload.calls();
        double requests = around(capacity(row, workload)) * share(workload) / machine;
        double factor = around(machine);
        double alone = alone(workload);
        double batching = row.batching() / together(workload) * alone;
        Map<String, @Nullable Double> cpu = new LinkedHashMap<>();
        cpu.put("generator", (60.0 / calls + 1.1) * factor);
        cpu.put("aggregator", (120.0 / calls + row.aggregator() * alone + batching / 2) * factor);
        cpu.put("responder", (row.responder() * alone + batching / 4) * factor);
        if (row.broker() > 0) {
            cpu.put("broker", (row.broker() * alone + batching / 4) * factor);
        }
        double p50 =
                workload.isOpen() ? (row.delay() + calls * 4e-6) / (1 - share(workload)) : users(workload) / requests;
        long count = Math.round(requests * 5);
        Map<String, @Nullable Double> allocated = new LinkedHashMap<>();
        allocated.put("aggregator", around(900 + 20 * row.aggregator()));
        allocated.put("responder", around(300 + 20 * row.responder()));
        Figures figures = new Figures(
                requests,
                requests * calls,
                latency(p50, 1.6),
                latency(Math.max(row.delay() / 2, p50 / 8), 2.5),
                cpu,
                Figures.system(cpu),
                allocated,
                memory(row));
        Round.Window window = new Round.Window(
                5.01,
                count,
                0,
                Map.of(),
                count * calls,
                Map.of("ok", count * calls),
                0,
                new Round.WarmUp(4, true),
                workload.isOpen() ? requests : null,
                0.2,
                0.01);
        return Round.of(number, List.of(), List.of(), window, figures);
    }

    private static @Nullable Double sum(Map<String, @Nullable Double> cpu) {
        return cpu.values().stream().allMatch(Objects::nonNull)
                ? (Double) cpu.values().stream().mapToDouble(Numbers::orNaN).sum()
                : null;
    }

    private Latency latency(double p50, double tail) {
        return new Latency(
                around(p50),
                around(p50 * (1 + 0.35 * tail)),
                around(p50 * (1 + 0.6 * tail)),
                around(p50 * (1 + tail)),
                around(p50 * (1 + 2 * tail)),
                around(p50 * (1 + 3 * tail)));
    }

    private Map<String, MemoryUse> memory(SampleRow row) {
        Map<String, MemoryUse> memory = new LinkedHashMap<>();
        memory.put("generator", new MemoryUse(180_000_000L, (long) around(420_000_000)));
        memory.put("aggregator", new MemoryUse(310_000_000L, (long) around(640_000_000)));
        memory.put("responder", new MemoryUse(210_000_000L, (long) around(330_000_000)));
        if (row.broker() > 0) {
            memory.put("broker", new MemoryUse((long) (20_000_000 * row.broker()), (long)
                    around(90_000_000 * row.broker())));
        }
        return memory;
    }

    /** Figure by figure; null where a round has none. */
    private static Figures median(List<Figures> rounds) {
        return new Figures(
                median(rounds, Figures::requestsPerSecond),
                median(rounds, Figures::callsPerSecond),
                medianLatency(rounds, Figures::requestLatency),
                medianLatency(rounds, Figures::callLatency),
                medians(rounds, Figures::cpu),
                median(rounds, Figures::cpuSystem),
                medians(rounds, Figures::allocatedBytesPerCall),
                rounds.get(0).memory());
    }

    private static <T> @Nullable Double median(List<T> rounds, Function<T, @Nullable Double> of) {
        double median = Figure.median(rounds.stream()
                .map(of)
                .mapToDouble(Numbers::orNaN)
                .filter(Double::isFinite)
                .toArray());
        return Double.isNaN(median) ? null : (Double) median;
    }

    private static Latency medianLatency(List<Figures> rounds, Function<Figures, Latency> of) {
        List<Latency> latencies = rounds.stream().map(of).toList();
        return new Latency(
                median(latencies, Latency::p50),
                median(latencies, Latency::p90),
                median(latencies, Latency::p95),
                median(latencies, Latency::p99),
                median(latencies, Latency::p999),
                median(latencies, Latency::max));
    }

    private static <T> Map<String, @Nullable Double> medians(
            List<T> rounds, Function<T, Map<String, @Nullable Double>> of) {
        Map<String, @Nullable Double> medians = new LinkedHashMap<>();
        of.apply(rounds.get(0))
                .keySet()
                .forEach(role -> medians.put(
                        role, median(rounds, round -> of.apply(round).get(role))));
        return medians;
    }

    SampleResults rawLimits() {
        List<RawLimit> limits = new ArrayList<>();
        for (SampleRow row : rows) {
            List<RawLimit.Reached> measured = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                Map<String, @Nullable Double> cpu = new LinkedHashMap<>();
                cpu.put("client", around(row.aggregator() / 5));
                cpu.put("responder", around(row.responder() / 2));
                if (row.broker() > 0) {
                    cpu.put("broker", around(row.broker() / 2));
                }
                measured.add(new RawLimit.Reached(around(row.raw()), cpu, sum(cpu)));
            }
            RawLimit.Reached median = new RawLimit.Reached(
                    median(measured, RawLimit.Reached::callsPerSecond),
                    medians(measured, RawLimit.Reached::cpu),
                    median(measured, RawLimit.Reached::cpuSystem));
            limits.add(new RawLimit(row.name(), true, List.of(), 2048, measured, median, 0.02));
        }
        return rawLimits(limits);
    }

    SampleResults rawLimits(List<RawLimit> limits) {
        this.rawLimits = limits;
        return this;
    }

    SampleResults counts() {
        Map<String, Long> byRow = new LinkedHashMap<>();
        rows.forEach(row -> byRow.put(row.name(), 12_345_000L));
        return counts(new Counts(98_765, byRow, byRow, byRow, true));
    }

    SampleResults counts(Counts counts) {
        this.counts = counts;
        return this;
    }

    SampleResults gatling() {
        return gatling(rows.stream()
                .map(row -> "gatling/" + row.name() + "-closed-1000x100-1/index.html")
                .toList());
    }

    SampleResults gatling(List<String> pages) {
        this.gatling = pages;
        return this;
    }

    private Environment environment() {
        Map<String, Object> fanOut = new LinkedHashMap<>();
        fanOut.put("callTimeout", "PT5S");
        fanOut.put("concurrencyPerRequest", 256);
        fanOut.put("maxInFlight", 2048);
        Map<String, RowSettings> bySettings = new LinkedHashMap<>();
        settings.forEach((row, of) -> bySettings.put(row, settings(row, of)));
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("chatterbox", "0.1.0-SNAPSHOT");
        versions.put("spring-boot", "4.1.1");
        versions.put("gatling", "3.14.9");
        return new Environment(
                new Environment.Machine("Linux 6.18 amd64", processor, 2, 16_000_000_000L, 0.4),
                new Environment.Java(jdk, "Debian", flags),
                versions,
                new Environment.Git("abc1234", false),
                new Environment.Settings(fanOut, bySettings),
                faults);
    }

    private RowSettings settings(String name, Map<String, Object> of) {
        String kind = rows.stream()
                .filter(row -> row.name().equals(name))
                .map(SampleRow::kind)
                .collect(Collectors.joining());
        return new RowSettings(
                name,
                kind,
                "up",
                "made up",
                List.of("unary"),
                "square-service-" + name,
                kind.equals("direct") ? null : name,
                of);
    }

    Results results() {
        return new Results(
                ResultsFile.SCHEMA,
                name,
                "./chatterbox compare --preset " + preset,
                Instant.parse("2026-11-20T11:00:00Z"),
                Instant.parse("2026-11-20T11:04:31Z"),
                interrupted,
                environment(),
                Map.of("aggregator-service", 0.004, "generator", 0.001),
                cells,
                rawLimits,
                counts,
                roundTrips,
                gatling);
    }

    MeasuredRun run() {
        return new MeasuredRun(preset, results());
    }

    /** Into a folder of that name. */
    Path write(Path parent, String folder) throws IOException {
        Path target = Files.createDirectories(parent.resolve(folder));
        Files.writeString(target.resolve(ResultsFile.NAME), ResultsFile.write(results()));
        return target;
    }
}
