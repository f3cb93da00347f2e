package dev.chatterbox.resilience;

import dev.chatterbox.comparison.Target;
import dev.chatterbox.stack.Repository;
import java.util.Optional;

/** What of a row's processes is meant. */
enum Part {
    RESPONDER,
    BROKER,
    AGGREGATOR;

    /** The name of the process; empty where the row has none. */
    Optional<String> of(Target.RowTarget row) {
        return switch (this) {
            case RESPONDER -> row.responder().map(Target.Process::name);
            case BROKER -> row.broker().map(Target.Process::name);
            case AGGREGATOR -> Optional.of(Repository.AGGREGATOR);
        };
    }

    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
