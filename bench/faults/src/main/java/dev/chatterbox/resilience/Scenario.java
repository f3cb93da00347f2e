package dev.chatterbox.resilience;

import dev.chatterbox.stack.Target;
import java.io.IOException;

/** One way to break or to hold a part of the system under load, and what is judged meanwhile and afterwards. */
public interface Scenario {

    /** By which a person chooses it, and finds it in the results. */
    String name();

    boolean appliesTo(Target.VariantTarget variant);

    /** Whether it breaks the links between processes, so that there must be a network between them. */
    default boolean needsNetwork() {
        return true;
    }

    /** Whether it breaks the disks of brokers, so that each broker must have its own. */
    default boolean needsDisks() {
        return false;
    }

    /** The approximate duration on one variant. */
    double seconds();

    /**
     * Runs the load on a variant, breaks a part, and returns when the load has ended. The part is back by then, also if
     * the scenario fails.
     *
     * @throws IOException the scenario could not be carried out
     * @throws InterruptedException the run was interrupted
     */
    CaseResult measure(StackUnderTest stack, Target.VariantTarget variant) throws IOException, InterruptedException;
}
