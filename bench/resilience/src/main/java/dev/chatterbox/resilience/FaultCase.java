package dev.chatterbox.resilience;

import dev.chatterbox.comparison.target.Target;
import java.io.IOException;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Something that is done to a row while load runs on it.
 *
 * @param name by which it is chosen
 * @param what it does and what ends it, in one line
 * @param seconds that it takes, about
 * @param applies the rows to which it can be done
 * @param traits what is to be known of it
 */
record FaultCase(
        String name, String what, int seconds, Script script, Predicate<Target.RowTarget> applies, Set<Trait> traits) {

    enum Trait {
        /** All rows feel it, because it is done to the aggregator or takes all that it admits. */
        EVERY_ROW,
        /** The aggregator is away for a while, so connections are refused, and end without an answer. */
        AGGREGATOR_AWAY,
        /** It is one of those that are mixed. */
        MIXED
    }

    interface Script {
        /** Returns when what was done is ended. */
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
