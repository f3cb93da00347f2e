package dev.chatterbox.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.chatterbox.workloads.QueueAnswer;
import dev.chatterbox.workloads.QueueAnswer.Percentiles;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The answers to runs of a queue with n messages, of one slice. An answer is right if its counts and its sum fit each
 * other. What was lost or consumed twice is a figure, and no error.
 */
final class ExpectedQueue implements Expected {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final int n;
    private final int groups;
    private final List<QueueAnswer> answers = new ArrayList<>();

    /** @param groups that each consume each message */
    ExpectedQueue(int n, int groups) {
        this.n = n;
        this.groups = groups;
    }

    @Override
    public synchronized List<QueueAnswer> queue() {
        return List.copyOf(answers);
    }

    @Override
    public Judgement judge(int status, HttpHeaders headers, byte[] answer) {
        if (status != 200) {
            return Judgement.status(status);
        }
        JsonNode json;
        try {
            json = JSON.readTree(answer);
        } catch (IOException e) {
            return Judgement.wrong("form", "the answer is no JSON: " + e.getMessage());
        }
        for (String field : List.of("ended", "published", "acknowledged", "refused", "unknown", "received")) {
            if (!json.hasNonNull(field)) {
                return Judgement.wrong("form", "the answer has no '%s'".formatted(field));
            }
        }
        if (!json.hasNonNull("consumed") || !json.hasNonNull("sum")) {
            return Judgement.wrong("unknown", json.path("why").asText("what was consumed is not known"));
        }
        QueueAnswer run = run(json);
        Judgement judgement = judge(run, json.path("sum").asText());
        if (judgement.isRight()) {
            synchronized (this) {
                answers.add(run);
            }
        }
        return judgement;
    }

    private static QueueAnswer run(JsonNode json) {
        return new QueueAnswer(
                json.path("ended").asText(),
                json.path("published").asLong(),
                json.path("acknowledged").asLong(),
                json.path("refused").asLong(),
                json.path("unknown").asLong(),
                json.path("received").asLong(),
                json.path("consumed").asLong(),
                json.path("missing").asLong(),
                json.path("lost").asLong(),
                json.path("doubled").asLong(),
                json.path("outOfOrder").asLong(),
                json.path("makeMillis").asDouble(),
                json.path("publishMillis").asDouble(),
                json.path("consumeMillis").asDouble(),
                percentiles(json.path("acknowledge")),
                percentiles(json.path("oneWay")));
    }

    private static Percentiles percentiles(JsonNode json) {
        return json.isObject()
                ? new Percentiles(
                        json.path("p50").asDouble(),
                        json.path("p95").asDouble(),
                        json.path("p99").asDouble(),
                        json.path("max").asDouble())
                : Percentiles.NONE;
    }

    private Judgement judge(QueueAnswer run, String sum) {
        boolean complete = run.ended().equals(QueueAnswer.COMPLETE);
        boolean fits = run.published() <= n
                && (!complete || run.published() == n)
                && run.acknowledged() + run.refused() + run.unknown() <= run.published()
                && run.consumed() + run.missing() <= groups * run.published()
                && run.consumed() + run.missing() >= groups * (run.acknowledged() + run.unknown())
                && run.lost() <= run.missing()
                && run.received() >= run.consumed();
        if (!fits) {
            return Judgement.wrong("counts", "the counts of %d messages do not fit each other: %s".formatted(n, run));
        }
        // The numbers that a group consumed are different ones out of 1 to n. The sum over all groups is the least, and
        // the most, where each group has consumed as many.
        long least = groups * squares(run.consumed() / groups);
        long most = groups * (squares(n) - squares(n - (run.consumed() + groups - 1) / groups));
        if (!sum.matches("\\d{1,18}") || Long.parseLong(sum) < least || Long.parseLong(sum) > most) {
            return Judgement.wrong(
                    "sum",
                    "the sum of %d squares out of %d must be %s, but it is %s"
                            .formatted(run.consumed(), n, least == most ? least : least + " to " + most, sum));
        }
        return Judgement.RIGHT;
    }

    /** 1² + 2² + … + n²; exact for n up to a million. */
    private static long squares(long n) {
        return n * (n + 1) * (2 * n + 1) / 6;
    }
}
