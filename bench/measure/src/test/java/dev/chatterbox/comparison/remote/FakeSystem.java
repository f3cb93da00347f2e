package dev.chatterbox.comparison.remote;

import com.sun.net.httpserver.HttpServer;
import dev.chatterbox.variants.Variants;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A server that answers as an aggregator with the variant nats and as the Prometheus that reads it. */
public final class FakeSystem implements AutoCloseable {

    static final Variants VARIANTS = Variants.read(Path.of("../../variants"));

    private static final String UP = """
            [{"name":"nats","kind":"broker","state":"up","modes":["unary"],"responder":"square-service-nats","broker":"nats"},
             {"name":"kafka","kind":"log","state":"down","modes":["unary"],"responder":"square-service-kafka","broker":"kafka"}]
            """;

    /** The bodies of the aggregator's pages, by their paths. */
    public final Map<String, String> pages = new ConcurrentHashMap<>();

    /** The services' counters as they were sampled last, by name and labels as JSON. */
    public final Map<String, Long> counters = new ConcurrentHashMap<>();

    /** The labels by which Prometheus groups the CPU time that a selector with this text has. */
    public final Map<String, List<String>> clocks = new ConcurrentHashMap<>();

    /** The CPU time, in the unit of its counter, that a selector with this text has. */
    public final Map<String, Double> cpu = new ConcurrentHashMap<>();

    /** The text of the selector of the broker's CPU time. */
    public static final String BROKER = "namedprocess_namegroup_cpu_seconds_total{groupname=~\"nats(-broker)?";

    /** The resident bytes of every process; null if they are not known. */
    public volatile @Nullable Long memory;

    /** Whether Prometheus has samples of the last seconds. */
    public volatile boolean samples = true;

    /** Headers and queries as they came. */
    public final List<String> asked = new CopyOnWriteArrayList<>();

    private final HttpServer server;

    private volatile boolean prometheusAway;

    public FakeSystem() throws IOException {
        pages.put("/transports", UP);
        pages.put("/actuator/info", "{\"build\":{\"version\":\"1.0.0\"}}");
        count("ok", 100);
        for (String clock : List.of(
                "process_cpu_time_ns_total{process=~\"aggregator-service",
                "process_cpu_time_ns_total{process=~\"square-service-nats",
                BROKER)) {
            clocks.put(clock, List.of("{}"));
            cpu.put(clock, 100.0);
        }
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String query = Optional.ofNullable(exchange.getRequestURI().getRawQuery())
                    .map(raw -> URLDecoder.decode(raw, StandardCharsets.UTF_8).substring("query=".length()))
                    .orElse("");
            asked.add(exchange.getRequestHeaders().getFirst("Authorization") + " " + query);
            String answer = !path.equals("/api/v1/query") ? pages.get(path) : prometheusAway ? null : answer(query);
            byte[] body = (answer == null ? "no such page" : answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    /** Counts calls over nats at both ends. */
    public void count(String outcome, long calls) {
        add("chatterbox_inputs_total", "\"transport\":\"nats\",\"outcome\":\"%s\"".formatted(outcome), calls);
        add("chatterbox_calls_seconds_count", "\"transport\":\"nats\",\"outcome\":\"%s\"".formatted(outcome), calls);
        add(
                "chatterbox_squares_total",
                "\"responder\":\"square-service-nats\",\"outcome\":\"%s\"".formatted(outcome),
                calls);
    }

    public void add(String counter, String labels, long growth) {
        counters.merge("{\"__name__\":\"%s\",%s}".formatted(counter, labels), growth, Long::sum);
    }

    public void takePrometheusAway() {
        prometheusAway = true;
    }

    private String answer(String expression) {
        if (expression.startsWith("group by")) {
            return vector(clocks.entrySet().stream()
                    .filter(clock -> expression.contains(clock.getKey()))
                    .flatMap(clock -> clock.getValue().stream())
                    .map(labels -> series(labels, 1)));
        }
        if (expression.startsWith("chatterbox_inputs_total")) {
            return vector(counters.isEmpty() ? Stream.of() : Stream.of(series("{}", 1)));
        }
        if (expression.startsWith("{__name__")) {
            return vector(counters.entrySet().stream().map(counter -> series(counter.getKey(), counter.getValue())));
        }
        if (expression.startsWith("sum(")) {
            return vector(Stream.ofNullable(memory).map(bytes -> series("{}", bytes)));
        }
        if (!samples && expression.contains("last_over_time")) {
            return vector(Stream.of());
        }
        if (expression.contains("({__name__") || expression.contains("last_over_time({__name__")) {
            return vector(Stream.of(series("{\"instance\":\"a\"}", 1)));
        }
        return vector(cpu.entrySet().stream()
                .filter(clock -> expression.contains(clock.getKey()))
                .map(clock -> series("{\"instance\":\"a\"}", clock.getValue())));
    }

    private static String series(String labels, double value) {
        return "{\"metric\":%s,\"value\":[0,\"%s\"]}".formatted(labels, value);
    }

    private static String vector(Stream<String> series) {
        return "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[%s]}}"
                .formatted(series.collect(Collectors.joining(",")));
    }

    public Deployment find() {
        return Deployment.find(aggregator(), prometheus(), List.of(), false, VARIANTS, "1.0.0");
    }

    Remote aggregator() {
        return Remote.of("http://127.0.0.1:" + server.getAddress().getPort(), null);
    }

    PrometheusServer prometheus() {
        return new PrometheusServer(
                new Remote(aggregator().address(), Optional.of("Bearer secret")), Map.of("namespace", "demo"));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
