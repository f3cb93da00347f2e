package dev.chatterbox.resilience;

import dev.chatterbox.comparison.testbed.Target;
import java.io.IOException;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A case: something that is done to a row while load runs on the row.
 *
 * @param name by which a person chooses the case
 * @param what describes in one line what the case does and what ends it
 * @param seconds the approximate duration
 * @param applies says to which rows the case can be applied
 * @param traits facts about the case
 */
record FaultCase(
        String name, String what, int seconds, Script script, Predicate<Target.RowTarget> applies, Set<Trait> traits) {

    enum Trait {
        /** The case affects all rows, because it breaks the aggregator or takes all of the aggregator's capacity. */
        EVERY_ROW,
        /** The aggregator is away for a while, so connections are refused, or end without an answer. */
        AGGREGATOR_AWAY,
        /** The case is one of those that are mixed. */
        MIXED
    }

    interface Script {
        /** Returns when the fault is ended. */
        void run(RowFaults row) throws IOException, InterruptedException;
    }

    /** A case that can be done to every row. */
    FaultCase(String name, String what, int seconds, Script script) {
        this(name, what, seconds, script, row -> true, Set.of());
    }

    FaultCase on(Predicate<Target.RowTarget> rows) {
        return new FaultCase(name, what, seconds, script, rows, traits);
    }

    FaultCase with(Trait... more) {
        return new FaultCase(name, what, seconds, script, applies, Set.of(more));
    }

    boolean is(Trait trait) {
        return traits.contains(trait);
    }

    boolean applies(Target.RowTarget row) {
        return applies.test(row);
    }
}
