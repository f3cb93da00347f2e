package dev.chatterbox.resilience;

import dev.chatterbox.stack.Target;
import java.io.IOException;

/** One way to break a part of a system under load, and what is judged when the part is back. */
interface Scenario {

    /** By which a person chooses it. */
    String name();

    /** What breaks, and what ends it, in one line. */
    String what();

    boolean appliesTo(Target.RowTarget row);

    /** The approximate duration on one row. */
    double seconds(ResiliencePlan plan);

    /**
     * Runs the load on a row, breaks a part, and returns when the load has ended. The part is back by then, also if the
     * scenario fails.
     *
     * @throws IOException the scenario could not be carried out
     * @throws InterruptedException the run was interrupted
     */
    CaseResult measure(StackUnderTest stack, Target.RowTarget row) throws IOException, InterruptedException;
}
