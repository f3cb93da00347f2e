package dev.chatterbox.control;

import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.UsageException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The faults that a responder makes on demand, as it reports them itself.
 *
 * @param delay how long every answer is held back
 * @param drop the probability that a request is never answered
 * @param wrong the probability that an answer is one too large
 */
public record ResponderFaults(Duration delay, double drop, double wrong) {

    private static final String NONE = "none";
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The change that switches off all faults. */
    static final Map<String, Object> OFF = Map.of("delay", "0ms", "drop", 0, "wrong", 0);

    /** @throws ProcessException the responder does not report its faults */
    static ResponderFaults of(Stack stack, Member responder, Duration patience) {
        return send("GET", stack, responder, "", patience);
    }

    /**
     * Sets the faults that the change names, and returns all.
     *
     * @throws UsageException a value is out of its range
     * @throws ProcessException the responder does not answer, or does not report its faults
     */
    static ResponderFaults set(Stack stack, Member responder, Map<String, Object> change) {
        return send("PUT", stack, responder, JSON.writeValueAsString(change), PATIENCE);
    }

    private static ResponderFaults send(String method, Stack stack, Member responder, String json, Duration patience) {
        String name = responder.name();
        LocalHttp.Answer answer;
        try {
            String token = stack.state().faultsToken();
            answer = LocalHttp.send(method, responder.port(), responder.faults(), json, token, patience);
        } catch (IOException e) {
            throw new ProcessException("%s does not answer on port %d: %s. Its log is %s"
                    .formatted(name, responder.port(), e, stack.log(name)));
        }
        if (answer.status() == 400) {
            throw new UsageException("%s: %s".formatted(name, LocalHttp.detail(answer.body())));
        }
        try {
            if (answer.status() == 200) {
                return of(JSON.readTree(answer.body()));
            }
        } catch (JacksonException | DateTimeException e) {
            // A program of other people need not answer as ours do.
        }
        throw new ProcessException("%s does not report its faults: %s answers %s."
                .formatted(name, responder.faults(), answer.status() == 200 ? answer.body() : answer.status()));
    }

    /** A responder need not support all faults. */
    private static ResponderFaults of(JsonNode faults) {
        return new ResponderFaults(
                Duration.parse(faults.path("delay").asString("PT0S")),
                faults.path("drop").asDouble(0),
                faults.path("wrong").asDouble(0));
    }

    public boolean isOn() {
        return !text().equals(NONE);
    }

    /** The faults, for people; "none" if there are none. */
    public String text() {
        List<String> parts = new ArrayList<>();
        if (!delay.isZero()) {
            parts.add("delay %d ms".formatted(delay.toMillis()));
        }
        if (drop > 0) {
            parts.add("drop " + drop);
        }
        if (wrong > 0) {
            parts.add("wrong " + wrong);
        }
        return parts.isEmpty() ? NONE : String.join(", ", parts);
    }
}
