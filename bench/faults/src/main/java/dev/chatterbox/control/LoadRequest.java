package dev.chatterbox.control;

import dev.chatterbox.stack.UsageException;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.VariantException;
import dev.chatterbox.variants.Variants;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A load that the live page requests: the load of a comparison, with limits that keep a workshop's machine usable.
 *
 * @param variants names of the variants, which get the load one after the other
 * @param users at the same time, each with one request at a time; 0 if there is a rate
 * @param rate in requests per second; 0 if there are users
 * @param seconds for each variant
 */
record LoadRequest(List<String> variants, int calls, int users, double rate, int seconds) {

    static final int MOST_USERS = 500;
    static final int MOST_CALLS = 10_000;
    static final int MOST_RATE = 10_000;
    static final int MOST_SECONDS = 600;

    /** @throws UsageException the load exceeds a limit */
    LoadRequest {
        require(calls >= 1 && calls <= MOST_CALLS, "Calls per request: 1 to %,d.".formatted(MOST_CALLS));
        require(users > 0 != rate > 0, "Either users or a rate.");
        require(users >= 0 && users <= MOST_USERS, "Users: 1 to %d.".formatted(MOST_USERS));
        require(rate >= 0 && rate <= MOST_RATE, "Requests per second: more than 0, at most %,d.".formatted(MOST_RATE));
        require(
                seconds >= 1 && (long) seconds * variants.size() <= MOST_SECONDS,
                "Seconds: 1 or more for each variant, %d in all.".formatted(MOST_SECONDS));
    }

    /**
     * @param known the variants; a name may mean several of them, and each of these takes its time
     * @throws UsageException the load exceeds a limit
     * @throws VariantException there is no such variant
     */
    static LoadRequest of(JsonNode json, Variants known) {
        List<String> names = json.path("variants")
                .valueStream()
                .map(name -> name.asString(""))
                .toList();
        require(!names.isEmpty(), "Choose a variant.");
        return new LoadRequest(
                known.choose(names).stream().map(Variant::name).toList(),
                json.path("calls").asInt(0),
                json.path("users").asInt(0),
                json.path("rate").asDouble(0),
                json.path("seconds").asInt(0));
    }

    List<String> command() {
        return List.of(
                "compare",
                "--preset=live",
                "--transports=" + String.join(",", variants),
                "--calls=" + calls,
                users > 0 ? "--users=" + users : "--rate=" + rate,
                "--time=" + seconds * variants.size() + "s");
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) {
            throw new UsageException(sentence);
        }
    }
}
