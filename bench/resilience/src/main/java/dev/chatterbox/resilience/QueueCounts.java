package dev.chatterbox.resilience;

import dev.chatterbox.comparison.testbed.Target;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.transport.Exchange;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the answer of a run of the exchange {@code queue} says of its messages; docs/api.md explains each.
 *
 * @param outOfOrder messages that came after one with a higher number of the same topic; null where no order is promised
 * @param consumed null where a consumer died with its count; the three after it are then null too
 */
record QueueCounts(
        String ended,
        long published,
        long acknowledged,
        long refused,
        long unknown,
        @Nullable Long outOfOrder,
        @Nullable Long consumed,
        @Nullable Long missing,
        @Nullable Long lost,
        @Nullable Long doubled) {

    /** The aggregator's default for {@code chatterbox.max-queue}. */
    static final int MOST = 1_000_000;

    /** Of a run that could not be made. */
    static final QueueCounts FAILED = new QueueCounts("failed", 0, 0, 0, 0, null, null, null, null, null);

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** @param inOrder whether one publisher and one consumer are promised an order */
    static QueueCounts of(JsonNode answer, boolean inOrder) {
        return new QueueCounts(
                answer.path("ended").asString(""),
                answer.path("published").asLong(),
                answer.path("acknowledged").asLong(),
                answer.path("refused").asLong(),
                answer.path("unknown").asLong(),
                inOrder ? count(answer, "outOfOrder") : null,
                count(answer, "consumed"),
                count(answer, "missing"),
                count(answer, "lost"),
                count(answer, "doubled"));
    }

    private static @Nullable Long count(JsonNode answer, String field) {
        return answer.hasNonNull(field) ? Long.valueOf(answer.path(field).asLong()) : null;
    }

    /** Whether it is known that an acknowledged message is lost. */
    boolean losesSome() {
        return lost != null && lost > 0;
    }

    /** Those of the named rows that have the exchange. */
    static List<Target.RowTarget> rows(Target target, List<String> names) {
        return target.rows().stream()
                .filter(row -> names.contains(row.row().name())
                        && row.row().exchanges().contains(Exchange.QUEUE))
                .toList();
    }

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

    /** Says why the sum of the squares is wrong; empty if it is right. */
    static List<String> wrongSum(JsonNode answer, long messages) {
        String right = Long.toString(messages * (messages + 1) * (2 * messages + 1) / 6);
        String sum = answer.path("sum").asString("");
        return sum.equals(right) ? List.of() : List.of("the sum of all squares is %s, not %s".formatted(sum, right));
    }
}
