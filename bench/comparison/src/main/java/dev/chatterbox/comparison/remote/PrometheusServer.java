package dev.chatterbox.comparison.remote;

import dev.chatterbox.comparison.remote.Series.Point;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A Prometheus server, asked over its HTTP API for raw samples: an instant query of a range vector
 * (https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries).
 *
 * @param restriction labels that every series must have, such as a namespace
 */
public record PrometheusServer(Remote server, Map<String, String> restriction) implements CounterSource {

    private static final int ATTEMPTS = 3;

    @Override
    public List<Series> samples(String counter, Map<String, String> labels, double from, double to) throws IOException {
        String selector = Stream.concat(
                        restriction.entrySet().stream().map(label -> matcher(label, "=")),
                        new TreeMap<>(labels).entrySet().stream().map(label -> matcher(label, "=~")))
                .collect(Collectors.joining(",", counter + "{", "}"));
        long milliseconds = (long) Math.ceil(1e3 * (to - from)) + 1;
        JsonNode answer = query(
                "/api/v1/query?time=%s&query=%s",
                BigDecimal.valueOf(to).setScale(3, RoundingMode.HALF_UP).toPlainString(),
                URLEncoder.encode("%s[%dms]".formatted(selector, milliseconds), StandardCharsets.UTF_8));
        List<Series> found = new ArrayList<>();
        for (JsonNode series : answer.at("/data/result").values()) {
            Map<String, String> own = new TreeMap<>();
            series.path("metric")
                    .properties()
                    .forEach(label -> own.put(label.getKey(), label.getValue().asString("")));
            List<Point> points = series.path("values").values().stream()
                    .map(pair -> new Point(
                            pair.path(0).asDouble(),
                            Double.parseDouble(pair.path(1).asString("NaN"))))
                    .filter(point -> point.seconds() >= from && !Double.isNaN(point.value()))
                    .toList();
            if (!points.isEmpty()) {
                found.add(new Series(own, points));
            }
        }
        return found;
    }

    /** The error is at most half the time that the answer takes. */
    @Override
    public double ahead() throws IOException {
        double begin = System.currentTimeMillis() / 1e3;
        JsonNode theirs = query("/api/v1/query?query=time()").at("/data/result/0");
        double end = System.currentTimeMillis() / 1e3;
        if (!theirs.isNumber()) {
            throw noPrometheus();
        }
        return theirs.asDouble() - (begin + end) / 2;
    }

    /** A server that is busy with the load may fail once. */
    private JsonNode query(String path, Object... values) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                JsonNode answer = server.json(path.formatted(values));
                if (!answer.path("status").asString("").equals("success")) {
                    throw noPrometheus();
                }
                return answer;
            } catch (IOException e) {
                if (attempt == ATTEMPTS || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
        }
    }

    private IOException noPrometheus() {
        return new IOException("%s is no Prometheus: it has no answer to a query".formatted(server.address()));
    }

    private static String matcher(Map.Entry<String, String> label, String operator) {
        return "%s%s\"%s\"".formatted(label.getKey(), operator, escaped(label.getValue()));
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    @Override
    public String name() {
        return "the Prometheus at " + server.address();
    }
}
