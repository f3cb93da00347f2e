package dev.chatterbox.resilience;

import dev.chatterbox.comparison.testbed.Target;
import dev.chatterbox.processes.LocalHttp;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs of the exchange {@code queue}, and what their answers say. */
final class QueueRuns {

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private QueueRuns() {}

    /**
     * Makes a run, and waits until it is over.
     *
     * @param parameters as docs/api.md explains them: {@code publishers=250&consumers=2}
     * @throws IOException there is no answer, or it has another status than 200
     */
    static JsonNode answer(Target target, String row, int messages, String parameters) throws IOException {
        LocalHttp.Answer answer = LocalHttp.get(
                target.aggregator().first().port(),
                "/%s/square/queue/%d?%s".formatted(row, messages, parameters),
                PATIENCE);
        JsonNode json = JsonMapper.shared().readTree(answer.body());
        if (answer.status() != 200) {
            throw new IOException("status %d: %s"
                    .formatted(answer.status(), json.path("detail").asString(answer.body())));
        }
        return json;
    }

    /** Null where it is not known. */
    static @Nullable Long count(JsonNode json, String field) {
        return json.hasNonNull(field) ? Long.valueOf(json.path(field).asLong()) : null;
    }

    /** 1² + 2² + … + n², as text. */
    static String sum(long n) {
        return Long.toString(n * (n + 1) * (2 * n + 1) / 6);
    }
}
