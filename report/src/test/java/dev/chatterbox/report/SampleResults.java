package dev.chatterbox.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Results in the schema that {@code compare} writes. MADE-UP TEST DATA: a crude model with a fixed seed, in the magnitudes of a
 * 2-core machine; nothing here was measured.
 */
final class SampleResults {

    /** Of a made-up transport: costs in CPU-µs per call and per request, seconds of its own latency. */
    record Transport(
            String name,
            String kind,
            String delivery,
            double aggregator,
            double responder,
            double broker,
            double batching,
            double delay,
            double raw) {}

    static final Transport REST = new Transport("rest", "direct", "direct, at most once", 49, 40, 0, 0, 0.0003, 79_000);
    static final Transport NATS =
            new Transport("nats", "broker", "at most once, nothing stored", 6.1, 1.4, 3.9, 40, 0.0005, 345_000);
    static final Transport KAFKA =
            new Transport("kafka", "log", "stored, at least once", 6.9, 3.4, 4.3, 60, 0.0023, 410_000);

    private static final double CORES = 2;

    private final Random random;
    private final Map<String, Object> root = new LinkedHashMap<>();
    private final List<Map<String, Object>> cells = new ArrayList<>();
    private final List<Transport> transports;
    private double noise = 0.02;
    private int rounds = 3;

    private SampleResults(String name, long seed, Transport... transports) {
        this.transports = List.of(transports);
        this.random = new Random(seed);
        root.put("schema", "chatterbox-results/1");
        root.put("name", name + " (made-up test data)");
        root.put("command", "./chatterbox compare --preset " + name);
        root.put("started", "2026-11-20T11:00:00Z");
        root.put("finished", "2026-11-20T11:04:31Z");
        root.put("interrupted", false);
        root.put("environment", environment());
        root.put("cells", cells);
    }

    static SampleResults of(String name, long seed, Transport... transports) {
        return new SampleResults(name, seed, transports);
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

    SampleResults noise(double noise) {
        this.noise = noise;
        return this;
    }

    SampleResults rounds(int rounds) {
        this.rounds = rounds;
        return this;
    }

    SampleResults put(String key, @Nullable Object value) {
        root.put(key, value);
        return this;
    }

    /** Something of the environment, by its dotted path. */
    @SuppressWarnings("unchecked")
    SampleResults environment(String path, Object value) {
        Map<String, Object> node = (Map<String, Object>) root.get("environment");
        String[] parts = path.split("/");
        for (int i = 0; i < parts.length - 1; i++) {
            node = (Map<String, Object>) node.computeIfAbsent(parts[i], part -> new LinkedHashMap<>());
        }
        node.put(parts[parts.length - 1], value);
        return this;
    }

    SampleResults cells(Consumer<List<Map<String, Object>>> change) {
        change.accept(cells);
        return this;
    }

    /** Marks a cell and all its rounds. */
    @SuppressWarnings("unchecked")
    SampleResults invalid(String transport, int calls, String reason) {
        for (Map<String, Object> cell : cells) {
            if (transport.equals(cell.get("transport"))
                    && Integer.valueOf(calls).equals(cell.get("calls"))) {
                cell.put("valid", false);
                for (Map<String, Object> round : (List<Map<String, Object>>) cell.get("rounds")) {
                    round.put("valid", false);
                    round.put("reasons", List.of(reason));
                    round.put("failed", 12);
                }
            }
        }
        return this;
    }

    SampleResults closed(List<Integer> calls, List<Integer> users) {
        for (int n : calls) {
            for (int u : users) {
                for (Transport transport : transports) {
                    cells.add(cell(transport, "closed", n, u, 0));
                }
            }
        }
        return this;
    }

    SampleResults open(List<Integer> calls, List<Double> loads) {
        for (int n : calls) {
            for (double load : loads) {
                for (Transport transport : transports) {
                    cells.add(cell(transport, "open", n, 100, load));
                }
            }
        }
        return this;
    }

    private Map<String, Object> cell(Transport transport, String model, int calls, int users, double load) {
        List<Map<String, Object>> measured = new ArrayList<>();
        for (int i = 1; i <= rounds; i++) {
            measured.add(round(transport, i, calls, users, load));
        }
        Map<String, Object> cell = new LinkedHashMap<>();
        cell.put("transport", transport.name());
        cell.put("kind", transport.kind());
        cell.put("model", model);
        cell.put("calls", calls);
        if (load == 0) {
            cell.put("users", users);
        } else {
            cell.put("rate", capacity(transport, calls, users) * load);
            cell.put("load", load);
        }
        cell.put("valid", true);
        cell.put("rounds", measured);
        cell.put("median", median(measured));
        cell.put("spread", Map.of());
        return cell;
    }

    /** Requests per second: what the processors allow, or what the waiting of so many users does. */
    private static double capacity(Transport t, int calls, int users) {
        double cpu = cpuPerCall(t, calls, users) * calls;
        double byCpu = CORES * 1e6 / cpu;
        double byWaiting = users / (t.delay() + cpu / 1e6 / CORES);
        return Math.min(byCpu, byWaiting);
    }

    private static double cpuPerCall(Transport t, int calls, int users) {
        // A request from outside costs what it costs; what waits together is batched.
        double together = Math.max(1, Math.min(1000, (double) calls * users / 4));
        return 180.0 / calls + 1.1 + t.aggregator() + t.responder() + t.broker() + t.batching() / together;
    }

    private double around(double value) {
        return value * (1 + noise * Math.max(-2, Math.min(2, random.nextGaussian())));
    }

    private Map<String, Object> round(Transport t, int number, int calls, int users, double load) {
        double requests = around(capacity(t, calls, users)) * (load == 0 ? 1 : load);
        double factor = around(1);
        double together = Math.max(1, Math.min(1000, (double) calls * users / 4));
        Map<String, Object> cpu = new LinkedHashMap<>();
        cpu.put("generator", (60.0 / calls + 1.1) * factor);
        cpu.put("aggregator", (120.0 / calls + t.aggregator() + t.batching() / together / 2) * factor);
        cpu.put("responder", (t.responder() + t.batching() / together / 4) * factor);
        if (t.broker() > 0) {
            cpu.put("broker", (t.broker() + t.batching() / together / 4) * factor);
        }
        double p50 = load == 0 ? users / requests : (t.delay() + calls * 4e-6) / (1 - load);
        long count = Math.round(requests * 5);
        Map<String, Object> round = new LinkedHashMap<>();
        round.put("round", number);
        round.put("valid", true);
        round.put("reasons", List.of());
        round.put("seconds", 5.01);
        round.put("requests", count);
        round.put("calls", count * calls);
        round.put("failed", 0);
        round.put("failures", Map.of());
        round.put("requestsPerSecond", requests);
        round.put("callsPerSecond", requests * calls);
        round.put("requestLatency", latency(p50, 1.6));
        round.put("callLatency", latency(Math.max(t.delay() / 2, p50 / 8), 2.5));
        round.put("callOutcomes", Map.of("ok", count * calls));
        round.put("unmatchedReplies", 0);
        round.put("cpu", cpu);
        round.put(
                "allocatedBytesPerCall",
                Map.of("aggregator", around(900 + 20 * t.aggregator()), "responder", around(300 + 20 * t.responder())));
        round.put("memory", memory(t));
        round.put("warmUp", Map.of("seconds", 4, "stable", true));
        return round;
    }

    private Map<String, Object> latency(double p50, double tail) {
        Map<String, Object> latency = new LinkedHashMap<>();
        latency.put("p50", around(p50));
        latency.put("p90", around(p50 * (1 + 0.35 * tail)));
        latency.put("p95", around(p50 * (1 + 0.6 * tail)));
        latency.put("p99", around(p50 * (1 + tail)));
        latency.put("max", around(p50 * (1 + 3 * tail)));
        return latency;
    }

    private Map<String, Object> memory(Transport t) {
        Map<String, Object> memory = new LinkedHashMap<>();
        memory.put("generator", Map.of("idleBytes", 180_000_000, "peakBytes", around(420_000_000)));
        memory.put("aggregator", Map.of("idleBytes", 310_000_000, "peakBytes", around(640_000_000)));
        memory.put("responder", Map.of("idleBytes", 210_000_000, "peakBytes", around(330_000_000)));
        if (t.broker() > 0) {
            memory.put(
                    "broker",
                    Map.of("idleBytes", 20_000_000 * t.broker(), "peakBytes", around(90_000_000 * t.broker())));
        }
        return memory;
    }

    /** Leaf by leaf. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> median(List<Map<String, Object>> rounds) {
        Map<String, Object> median = new LinkedHashMap<>();
        for (String key : List.of(
                "requestsPerSecond",
                "callsPerSecond",
                "requestLatency",
                "callLatency",
                "cpu",
                "allocatedBytesPerCall",
                "memory")) {
            median.put(
                    key, medianOf(rounds.stream().map(round -> round.get(key)).toList()));
        }
        Map<String, Object> cpu = (Map<String, Object>) median.get("cpu");
        cpu.put(
                "total",
                Figure.median(rounds.stream()
                        .mapToDouble(round -> ((Map<String, Double>) round.get("cpu"))
                                .values().stream()
                                        .mapToDouble(Double::doubleValue)
                                        .sum())
                        .toArray()));
        return median;
    }

    @SuppressWarnings("unchecked")
    private static Object medianOf(List<Object> values) {
        if (values.get(0) instanceof Map<?, ?> first) {
            Map<String, Object> median = new LinkedHashMap<>();
            for (Object key : first.keySet()) {
                median.put(
                        (String) key,
                        medianOf(values.stream()
                                .map(value -> ((Map<String, Object>) value).get(key))
                                .toList()));
            }
            return median;
        }
        return Figure.median(values.stream()
                .mapToDouble(value -> ((Number) value).doubleValue())
                .toArray());
    }

    SampleResults rawLimits() {
        List<Map<String, Object>> limits = new ArrayList<>();
        for (Transport t : transports) {
            List<Map<String, Object>> measured = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                Map<String, Object> cpu = new LinkedHashMap<>();
                cpu.put("client", around(t.aggregator() / 5));
                cpu.put("responder", around(t.responder() / 2));
                if (t.broker() > 0) {
                    cpu.put("broker", around(t.broker() / 2));
                }
                Map<String, Object> round = new LinkedHashMap<>();
                round.put("callsPerSecond", around(t.raw()));
                round.put("cpu", cpu);
                measured.add(round);
            }
            Map<String, Object> median = new LinkedHashMap<>();
            median.put(
                    "callsPerSecond",
                    medianOf(measured.stream()
                            .map(round -> round.get("callsPerSecond"))
                            .toList()));
            median.put(
                    "cpu",
                    medianOf(measured.stream().map(round -> round.get("cpu")).toList()));
            Map<String, Object> limit = new LinkedHashMap<>();
            limit.put("transport", t.name());
            limit.put("valid", true);
            limit.put("inFlight", 2048);
            limit.put("rounds", measured);
            limit.put("median", median);
            limits.add(limit);
        }
        root.put("rawLimits", limits);
        return this;
    }

    SampleResults counts() {
        root.put(
                "counts",
                Map.of(
                        "generatorRequests",
                        98_765,
                        "generatorCalls",
                        Map.of("nats", 12_345_000, "kafka", 678),
                        "aggregatorCalls",
                        Map.of(),
                        "agree",
                        true));
        return this;
    }

    SampleResults gatling() {
        root.put(
                "gatlingReports",
                transports.stream()
                        .map(t -> "gatling/" + t.name() + "-closed-1000x100-1/index.html")
                        .toList());
        return this;
    }

    private Map<String, Object> environment() {
        Map<String, Object> settings = new LinkedHashMap<>();
        for (Transport t : transports) {
            Map<String, Object> of = new LinkedHashMap<>();
            of.put("connections", t.broker() > 0 ? 1 : 128);
            if (t.broker() > 0) {
                of.put("flush", "batched");
            }
            of.put("delivery", t.delivery());
            settings.put(t.name(), new LinkedHashMap<>(Map.of("kind", t.kind(), "settings", of)));
        }
        Map<String, Object> fanOut = new LinkedHashMap<>();
        fanOut.put("callTimeout", "5s");
        fanOut.put("concurrencyPerRequest", 256);
        fanOut.put("maxInFlight", 2048);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("fanOut", fanOut);
        all.put("transports", settings);
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("os", "Linux 6.18 amd64");
        machine.put("cpu", "a made-up processor");
        machine.put("cores", 2);
        machine.put("memoryBytes", 16_000_000_000L);
        machine.put("loadAverageAtStart", 0.4);
        Map<String, Object> java = new LinkedHashMap<>();
        java.put("version", "17.0.15");
        java.put("vendor", "Debian");
        java.put("flags", new LinkedHashMap<>(Map.of("aggregator-service", "-Xms512m -Xmx512m")));
        Map<String, Object> versions = new LinkedHashMap<>();
        versions.put("chatterbox", "0.1.0-SNAPSHOT");
        versions.put("spring-boot", "4.1.1");
        versions.put("gatling", "3.14.9");
        Map<String, Object> environment = new LinkedHashMap<>();
        environment.put("machine", machine);
        environment.put("java", java);
        environment.put("versions", versions);
        environment.put("git", new LinkedHashMap<>(Map.of("revision", "abc1234", "dirty", false)));
        environment.put("settings", all);
        return environment;
    }

    String json() {
        return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }

    /** Into a folder of that name. */
    Path write(Path parent, String folder) throws IOException {
        Path target = Files.createDirectories(parent.resolve(folder));
        Files.writeString(target.resolve(Results.FILE), json());
        return target;
    }

    Results read(Path parent) throws IOException {
        return Results.read(write(parent, "sample-" + System.nanoTime()));
    }
}
