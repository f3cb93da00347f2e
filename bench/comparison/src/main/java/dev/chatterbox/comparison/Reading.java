package dev.chatterbox.comparison;

import dev.chatterbox.processes.LocalHttp;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the services behind one row had counted at one moment.
 *
 * @param responder null for a row without a responder process
 */
record Reading(AggregatorReading aggregator, @Nullable ResponderReading responder) {

    private static final String SPRING = "/actuator/prometheus";

    /** Only what is needed: all of it is three times as long. */
    private static final String NEEDED =
            "?includedNames=chatterbox_inputs,chatterbox_calls_seconds,chatterbox_replies_unmatched,chatterbox_squares,chatterbox_faults,"
                    + "jvm_gc_memory_allocated_bytes,jvm_memory_used_bytes,process_uptime_seconds";

    /** @throws IOException a service does not answer */
    static Reading take(Target target, String row) throws IOException {
        return new Reading(
                AggregatorReading.of(scrape(target.aggregator().port(), SPRING), row, null),
                responder(target.row(row)));
    }

    /**
     * The same with the latencies of calls, where the aggregator tells them.
     *
     * @throws IOException a service does not answer
     */
    static Reading takeWithLatency(Target target, String row) throws IOException {
        int port = target.aggregator().port();
        LocalHttp.Answer answer = LocalHttp.get(port, "/transports/%s/latency".formatted(row));
        LatencyBuckets latency = null;
        if (answer.status() == 200) {
            try {
                JsonNode told = JsonMapper.shared().readTree(answer.body());
                latency = LatencyBuckets.of(
                        told.path("buckets"), told.path("maxNanos").asLong(Long.MAX_VALUE));
            } catch (JacksonException e) {
                throw new IOException("port %d told no latencies of %s".formatted(port, row), e);
            }
        }
        return new Reading(AggregatorReading.of(scrape(port, SPRING), row, latency), responder(target.row(row)));
    }

    /**
     * The responder's part alone.
     *
     * @return null if the row has no responder process
     * @throws IOException it does not answer
     */
    static @Nullable ResponderReading responder(Target.RowTarget row) throws IOException {
        if (row.responder().isEmpty()) {
            return null;
        }
        Target.Process responder = row.responder().get();
        return ResponderReading.of(scrape(responder.port(), row.metrics().orElse(SPRING)), responder.name());
    }

    private static Prometheus scrape(int port, String path) throws IOException {
        // A responder of another language may know no such parameter, or not even the path with one.
        LocalHttp.Answer answer = LocalHttp.get(port, path.equals(SPRING) ? SPRING + NEEDED : path);
        if (answer.status() != 200) {
            throw new IOException("port %d answered %d to %s".formatted(port, answer.status(), path));
        }
        return Prometheus.parse(answer.body());
    }

    /** What was counted since an earlier reading of the same row. */
    Reading since(Reading earlier) {
        return new Reading(
                aggregator.since(earlier.aggregator),
                responder == null || earlier.responder == null ? null : responder.since(earlier.responder));
    }
}
