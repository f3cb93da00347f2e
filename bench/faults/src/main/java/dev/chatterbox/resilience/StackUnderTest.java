package dev.chatterbox.resilience;

import dev.chatterbox.control.StackFaults;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.stack.StackException;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Target;
import dev.chatterbox.stack.Testbed;
import java.util.List;

/**
 * The running stack whose parts are broken.
 *
 * @param target the testbed's
 * @param faults of the testbed's stack
 */
public record StackUnderTest(Testbed testbed, Target target, StackFaults faults, ResiliencePlan plan, Steps steps) {

    /** @throws StackException the stack was started without a network whose links can be broken */
    Toxiproxy network() {
        return testbed.network().orElseThrow(() -> new StackException("The stack has no network."));
    }

    /** Of the aggregator. */
    int port() {
        return target.aggregator().first().port();
    }

    /** The rows that are tested; others of the stack are there to show whether they feel a fault. */
    List<Target.RowTarget> rows() {
        return target.rows().stream()
                .filter(row -> plan.rows().contains(row.row().name()))
                .toList();
    }
}
