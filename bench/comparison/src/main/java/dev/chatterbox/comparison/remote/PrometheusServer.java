package dev.chatterbox.comparison.remote;

import dev.chatterbox.comparison.remote.Series.Point;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A Prometheus server, asked over its HTTP API for raw samples: an instant query of a range vector
 * (https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries).
 *
 * @param restriction labels that every series must have, such as a namespace
 */
public record PrometheusServer(Remote server, Map<String, String> restriction) implements CounterSource {

    @Override
    public List<Series> samples(String counter, Map<String, String> labels, double from, double to) throws IOException {
        Map<String, String> all = new TreeMap<>(restriction);
        all.putAll(labels);
        String selector = all.entrySet().stream()
                .map(label -> "%s=~\"%s\"".formatted(label.getKey(), escaped(label.getValue())))
                .collect(Collectors.joining(",", counter + "{", "}"));
        long milliseconds = (long) Math.ceil(1e3 * (to - from)) + 1;
        JsonNode answer = server.json("/api/v1/query?time=%.3f&query=%s"
                .formatted(
                        to, URLEncoder.encode("%s[%dms]".formatted(selector, milliseconds), StandardCharsets.UTF_8)));
        if (!answer.path("status").asString("").equals("success")) {
            throw new IOException("%s is no Prometheus: it has no answer to a query".formatted(server.address()));
        }
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

    /** How many seconds its clock is ahead of this machine's; an answer takes up to twice as long as the error. */
    double ahead() throws IOException {
        double begin = System.currentTimeMillis() / 1e3;
        double theirs =
                server.json("/api/v1/query?query=time()").at("/data/result/0").asDouble();
        double end = System.currentTimeMillis() / 1e3;
        return theirs - (begin + end) / 2;
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    @Override
    public String name() {
        return "the Prometheus at " + server.address();
    }
}
