package dev.chatterbox.comparison.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A Prometheus server, asked over its HTTP API by instant queries
 * (https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries).
 *
 * @param restriction labels that every series must have, such as a namespace
 */
public record PrometheusServer(Remote server, Map<String, String> restriction) {

    private static final int ATTEMPTS = 3;

    /** @param labels regular expressions */
    String selector(String metric, Map<String, String> labels) {
        return Stream.concat(
                        new TreeMap<>(labels).entrySet().stream().map(label -> matcher(label, "=~")),
                        new TreeMap<>(restriction).entrySet().stream().map(label -> matcher(label, "=")))
                .collect(Collectors.joining(",", metric + "{", "}"));
    }

    private static String matcher(Map.Entry<String, String> label, String operator) {
        String value = label.getValue().replace("\\", "\\\\").replace("\"", "\\\"");
        return "%s%s\"%s\"".formatted(label.getKey(), operator, value);
    }

    /**
     * The values of an expression by their labels.
     *
     * @throws UncheckedIOException no answer; its message is a line
     */
    Map<Map<String, String>, Double> values(String expression) {
        Map<Map<String, String>, Double> values = new LinkedHashMap<>();
        for (JsonNode series : query(expression).at("/data/result").values()) {
            Map<String, String> labels = new TreeMap<>();
            series.path("metric")
                    .properties()
                    .forEach(
                            label -> labels.put(label.getKey(), label.getValue().asString("")));
            values.put(labels, Double.parseDouble(series.at("/value/1").asString("NaN")));
        }
        return values;
    }

    /** A server that is busy with the load may fail once. */
    private JsonNode query(String expression) {
        String path = "/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8);
        for (int attempt = 1; ; attempt++) {
            try {
                JsonNode answer = server.json(path);
                if (!answer.path("status").asString("").equals("success")) {
                    throw new IOException(server.address() + " is no Prometheus: it has no answer to a query");
                }
                return answer;
            } catch (IOException e) {
                if (attempt == ATTEMPTS || Thread.currentThread().isInterrupted()) {
                    throw new UncheckedIOException(e.getMessage(), e);
                }
            }
        }
    }

    /** Its name for people, in the middle of a sentence. */
    public String name() {
        return "the Prometheus at " + server.address();
    }
}
