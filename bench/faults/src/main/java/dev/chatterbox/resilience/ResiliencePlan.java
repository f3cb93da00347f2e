package dev.chatterbox.resilience;

import java.time.Duration;
import java.util.List;

/**
 * Says which cases are carried out.
 *
 * @param rows names of the rows that are tested
 * @param cases names of the cases; none means all but those of queues
 * @param phase how long the nodes of a cluster are all there, away and back
 * @param deadline of a call
 */
public record ResiliencePlan(List<String> rows, List<String> cases, Duration phase, Duration deadline) {

    /** @throws dev.chatterbox.stack.UsageException there is no case with that name */
    public ResiliencePlan {
        Scenarios.requireKnown(cases);
    }

    /** The longest time in seconds after which an error may come. */
    double longestError() {
        return deadline.toMillis() / 1000.0 + 1;
    }
}
