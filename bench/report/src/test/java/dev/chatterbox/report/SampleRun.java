package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.RoundTrip;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.transport.CallMode;
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
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Results as a comparison writes them. MADE-UP TEST DATA: a crude model with a fixed seed, in the magnitudes of a
 * 2-core machine. A disturbance hits all variants of a block alike. Nothing here was measured.
 */
final class SampleRun {

    /** A made-up variant: costs in CPU-µs per call, and its own latency in seconds. */
    record SampleVariant(
            String name,
            String kind,
            String delivery,
            double aggregator,
            double responder,
            double broker,
            double delay) {

        SampleVariant costing(double factor) {
            return new SampleVariant(
                    name, kind, delivery, aggregator * factor, responder * factor, broker * factor, delay);
        }
    }

    static final String AT_MOST_ONCE = "at most once, nothing stored";
    static final SampleVariant MEMORY = new SampleVariant("memory", "memory", AT_MOST_ONCE, 0.6, 0, 0, 0.0001);
    static final SampleVariant REST = new SampleVariant("rest", "direct", AT_MOST_ONCE, 49, 40, 0, 0.0003);
    static final SampleVariant NATS = new SampleVariant("nats", "broker", AT_MOST_ONCE, 5.1, 1.4, 3.9, 0.0005);
    static final SampleVariant KAFKA =
            new SampleVariant("kafka", "log", "stored, at least once", 6.3, 2.4, 4.0, 0.0023);
    static final List<SampleVariant> EIGHT = List.of(
            MEMORY,
            REST,
            NATS,
            KAFKA,
            new SampleVariant("artemis", "broker", AT_MOST_ONCE, 11, 6, 9, 0.0009),
            new SampleVariant("grpc", "direct", AT_MOST_ONCE, 4.9, 3.1, 0, 0.0004),
            new SampleVariant("rabbitmq", "broker", AT_MOST_ONCE, 8, 4, 12, 0.001),
            new SampleVariant("rsocket", "direct", AT_MOST_ONCE, 4.8, 3.3, 0, 0.0004),
            new SampleVariant("rest-python", "direct", AT_MOST_ONCE, 50, 118, 0, 0.0012));

    private static final double CORES = 2;

    private final Random random;
    private final String name;
    private final List<SampleVariant> variants;
    private final Map<String, Map<String, Object>> settings = new LinkedHashMap<>();
    private final List<Cell> cells = new ArrayList<>();
    private final Map<String, Double> weather = new LinkedHashMap<>();
    private @Nullable String side;
    private int starts = 1;
    private double noise = 0.04;
    private String processor = "a made-up processor";
    private String jdk = "17.0.15";
    private boolean interrupted;
    private boolean agree = true;
    private List<RoundTrip> roundTrips = List.of();
    private List<String> doubts = List.of();

    SampleRun(String name, long seed, List<SampleVariant> variants) {
        this.name = name;
        this.random = new Random(seed);
        this.variants = variants;
        for (SampleVariant variant : variants) {
            setting(variant.name(), "delivery", variant.delivery());
            setting(variant.name(), "connections", variant.broker() > 0 ? 1 : 128);
        }
    }

    /** What {@code ./chatterbox} without arguments measures, with three variants. */
    static SampleRun quick(long seed) {
        return new SampleRun("quick", seed, List.of(MEMORY, REST, NATS, KAFKA))
                .headline("unary calls=100 users=25; unary calls=1000 users=8")
                .others("unary calls=1,100 users=1; unary calls=1 users=25")
                .bare();
    }

    /** Eight variants that are compared, and five workloads. */
    static SampleRun transports(long seed) {
        return new SampleRun("transports", seed, EIGHT)
                .headline("unary calls=100 users=25; unary calls=1000 users=8")
                .others("unary calls=1 users=1,25; unary calls=10 users=25")
                .bare();
    }

    SampleRun setting(String variant, String setting, Object value) {
        settings.computeIfAbsent(variant, none -> new LinkedHashMap<>()).put(setting, value);
        return this;
    }

    SampleRun starts(int starts) {
        this.starts = starts;
        return this;
    }

    SampleRun noise(double noise) {
        this.noise = noise;
        return this;
    }

    SampleRun side(@Nullable String side) {
        this.side = side;
        return this;
    }

    SampleRun processor(String processor) {
        this.processor = processor;
        return this;
    }

    SampleRun jdk(String jdk) {
        this.jdk = jdk;
        return this;
    }

    SampleRun interrupted() {
        this.interrupted = true;
        return this;
    }

    SampleRun disagreeing() {
        this.agree = false;
        return this;
    }

    SampleRun doubts(String... doubts) {
        this.doubts = List.of(doubts);
        return this;
    }

    SampleRun roundTrips(RoundTrip... trips) {
        this.roundTrips = List.of(trips);
        return this;
    }

    /** Changes the cells of a variant. */
    SampleRun cells(String variant, UnaryOperator<Cell> change) {
        cells.replaceAll(cell -> cell.variant().equals(variant) ? change.apply(cell) : cell);
        return this;
    }

    /** Gives the cells of a variant doubts, so that they are shown and not ranked. */
    SampleRun doubted(String variant, String... why) {
        return cells(variant, cell -> with(cell, cell.slices(), cell.requestLatency(), List.of(why)));
    }

    /** Takes out the first so many slices of each cell of a variant, so that they do not count. */
    SampleRun out(String variant, int slices, String reason) {
        return cells(variant, cell -> {
            List<SliceFigures> all = new ArrayList<>(cell.slices());
            for (int i = 0; i < Math.min(slices, all.size()); i++) {
                all.set(i, all.get(i).without(List.of(reason)));
            }
            return with(cell, all, cell.requestLatency(), cell.doubts());
        });
    }

    /** Takes the CPU times of a variant out, as where Prometheus does not know them. */
    SampleRun withoutCpu(String variant) {
        return cells(
                variant,
                cell -> with(
                        cell,
                        cell.slices().stream()
                                .map(slice -> new SliceFigures(
                                        slice.start(),
                                        slice.block(),
                                        slice.seconds(),
                                        slice.requests(),
                                        slice.calls(),
                                        Map.of(),
                                        slice.compilerNanos(),
                                        slice.generatorBusy(),
                                        slice.threadEnded(),
                                        slice.memory(),
                                        slice.reasons()))
                                .toList(),
                        cell.requestLatency(),
                        cell.doubts()));
    }

    /** Marks some requests of a variant as never answered. */
    SampleRun unanswered(String variant, double atLeast) {
        return cells(variant, cell -> {
            Latency known = cell.requestLatency();
            return with(
                    cell,
                    cell.slices(),
                    new Latency(known.p50(), known.p90(), known.p95(), known.p99(), known.p999(), known.max(), atLeast),
                    cell.doubts());
        });
    }

    static Cell with(Cell cell, List<SliceFigures> slices, Latency latency, List<String> doubts) {
        return new Cell(
                cell.variant(),
                cell.side(),
                cell.bare(),
                cell.kind(),
                cell.workload(),
                cell.requestsPerSlice(),
                cell.inFlight(),
                slices,
                latency,
                cell.memory(),
                cell.writtenPerCall(),
                doubts,
                cell.queue());
    }

    SampleRun headline(String workloads) {
        return measure(workloads, variants, 20, 1);
    }

    /** Measures all variants in every fourth block. */
    SampleRun others(String workloads) {
        return measure(workloads, variants, 20, 4);
    }

    /** Measures these variants, for example as another side. */
    SampleRun measure(String workloads, List<SampleVariant> some, int blocks, int every) {
        for (Workload workload : Workload.parseAll(workloads)) {
            some.forEach(variant -> cells.add(cell(variant, workload, false, blocks, every)));
        }
        return this;
    }

    SampleRun bare() {
        variants.stream()
                .filter(variant -> variant.responder() > 0)
                .forEach(variant -> cells.add(cell(
                        new SampleVariant(
                                variant.name(),
                                variant.kind(),
                                "",
                                variant.aggregator() / 4,
                                variant.responder() / 2,
                                variant.broker() / 2,
                                0),
                        Workload.unary(1, new Load.Users(1024)),
                        true,
                        20,
                        4)));
        return this;
    }

    private double gaussian(double spread) {
        return Math.exp(spread * random.nextGaussian());
    }

    /** Requests per second, as the processors allow, or as the waiting of the users allows if that is less. */
    private static double capacity(SampleVariant variant, Workload workload, double micros) {
        double users = workload.load() instanceof Load.Users closed ? closed.count() : 100;
        double seconds = micros * workload.calls() / 1e6;
        return Math.min(CORES / seconds, users / (variant.delay() + workload.distanceMillis() / 1e3 + seconds));
    }

    private Cell cell(SampleVariant variant, Workload requested, boolean bare, int blocks, int every) {
        double perRequest = bare ? 0 : 180.0 / requested.calls();
        double bytes = requested.payloadBytes() / 1000.0;
        double message = (double) requested.messages() / requested.calls();
        double shared = 0.7 + 0.3 / (1 + (requested.calls() - 1) / 16.0);
        Map<String, Double> micros = new LinkedHashMap<>();
        if (!bare) {
            micros.put(Role.GENERATOR, 40.0 / requested.calls() + 0.2);
        }
        micros.put(
                bare ? Role.CLIENT : Role.AGGREGATOR,
                perRequest + 0.1 + variant.aggregator() * message * shared + bytes);
        if (variant.responder() > 0) {
            micros.put(Role.RESPONDER, 0.05 + variant.responder() * message * shared + bytes);
        }
        if (variant.broker() > 0) {
            micros.put(Role.BROKER, 0.05 + variant.broker() * message * shared + bytes);
        }
        double all = micros.values().stream().mapToDouble(Double::doubleValue).sum();
        double most = capacity(variant, requested, all);
        double perSecond = requested.load() instanceof Load.Rate rate ? rate.perSecond() : most;
        List<SliceFigures> slices = new ArrayList<>();
        for (int start = 1; start <= starts; start++) {
            double ofStart = gaussian(0.01);
            for (int block = 1; block <= blocks; block += every) {
                slices.add(slice(requested, start, block, micros, perSecond, ofStart));
            }
        }
        double busy = Math.min(0.9, perSecond * all * requested.calls() / 1e6 / CORES);
        double p50 = requested.isOpen()
                ? (variant.delay() + all * requested.calls() / 1e6 / 4) / (1 - busy)
                : ((Load.Users) requested.load()).count() / perSecond;
        Latency latency = bare
                ? Latency.NONE
                : new Latency(p50, 1.6 * p50, 1.9 * p50, 3.2 * p50, every > 1 ? null : 5.5 * p50, 9 * p50, null);
        Map<String, Long> memory =
                micros.keySet().stream().collect(Collectors.toMap(role -> role, role -> 300_000_000L));
        return new Cell(
                variant.name(),
                side,
                bare,
                variant.kind(),
                requested,
                Math.max(1, Math.round(perSecond / 2)),
                bare ? 1024 : 0,
                slices,
                latency,
                memory,
                bare ? null : Double.valueOf(90),
                List.of(),
                requested.mode() == CallMode.QUEUE ? queue(requested, p50) : null);
    }

    /** Two runs with acknowledgements, in which a message was consumed twice. */
    private static QueueFigures queue(Workload workload, double seconds) {
        long calls = workload.calls();
        Latency waits = new Latency(0.00125, null, 0.002, 0.003, null, 0.04, null);
        QueueFigures run = new QueueFigures(
                1,
                Map.of(QueueFigures.COMPLETE, 1L),
                calls,
                calls,
                0,
                0,
                calls + 1,
                calls,
                0,
                0,
                1,
                4L,
                0.02,
                calls / (0.9 * seconds),
                calls / seconds,
                waits,
                waits);
        return QueueFigures.sum(List.of(run, run), List.of(run, run));
    }

    private SliceFigures slice(
            Workload workload, int start, int block, Map<String, Double> micros, double perSecond, double ofStart) {
        double hour = weather.computeIfAbsent(start + "/" + block, none -> gaussian(0.12));
        double own = hour * ofStart * gaussian(noise);
        long requests = Math.max(1, Math.round(perSecond / 2));
        double seconds = requests / perSecond * (workload.isOpen() ? 1 : own);
        Map<String, Long> nanos = new LinkedHashMap<>();
        micros.forEach((role, one) -> nanos.put(role, Math.round(one * 1e3 * requests * workload.calls() * own)));
        return new SliceFigures(
                start,
                block,
                seconds,
                requests,
                requests * workload.calls(),
                nanos,
                nanos.values().stream().mapToLong(Long::longValue).sum() / 50,
                0.2,
                false,
                Map.of(Role.AGGREGATOR, (300L + block) << 20),
                List.of());
    }

    Results results() {
        Map<String, Object> byVariant = new LinkedHashMap<>();
        settings.forEach((variant, own) -> {
            Map<String, Object> shown = new LinkedHashMap<>(Map.of("name", variant, "kind", "direct", "settings", own));
            if (!variant.equals("memory")) {
                shown.put("responder", "square-service-" + variant);
            }
            if (variants.stream().anyMatch(known -> known.name().equals(variant) && known.broker() > 0)) {
                shown.put("broker", variant);
            }
            byVariant.put(variant, shown);
        });
        Map<String, Object> environment = new LinkedHashMap<>();
        environment.put("machine", Map.of("os", "Linux", "cpu", processor, "cores", 2, "memoryBytes", 8_000_000_000L));
        environment.put("java", Map.of("version", jdk, "flags", Map.of("aggregator-service", "-Xmx512m")));
        environment.put("versions", Map.of("chatterbox", "0.1.0"));
        environment.put("git", Map.of("revision", "abc1234", "dirty", false));
        environment.put(
                "settings",
                Map.of("fanOut", Map.of("maxInFlight", 2048, "callTimeout", "PT5S"), "variants", byVariant));
        environment.put("brokers", Map.of("nats", Map.of("idleBytes", 20_000_000L, "installedBytes", 22_000_000L)));
        Instant started = Instant.parse("2026-11-23T10:00:00Z");
        return new Results(
                ResultsFile.SCHEMA,
                name,
                "./chatterbox compare --preset " + name,
                started,
                started.plusSeconds(341),
                interrupted,
                42,
                starts,
                new Environment(JsonMapper.shared().valueToTree(environment)),
                Map.of("aggregator-service", 0.004, "square-service-nats", 0.002),
                Map.of("aggregator-service", new Results.ProcessFigures(120, 31, 14, 2.2, 0.003, 300L << 20, 5L << 20)),
                List.copyOf(cells),
                new Counts(1, Map.of(), Map.of(), Map.of(), Map.of(), agree),
                roundTrips,
                doubts);
    }

    /** Writes the results into a new folder of this folder. */
    Path write(Path parent, String folder) throws IOException {
        Path run = Files.createDirectories(parent.resolve(folder));
        Files.writeString(run.resolve(ResultsFile.NAME), ResultsFile.write(results()));
        return run;
    }
}
