package dev.chatterbox.resilience;

import dev.chatterbox.stack.Repository;
import dev.chatterbox.testbed.Target;
import java.util.Locale;
import java.util.Optional;

/** A process that serves a row. */
enum RowProcess {
    RESPONDER,
    BROKER,
    AGGREGATOR;

    /** The name of the process; empty if the row has no such process, or a cluster of nodes as its broker. */
    Optional<String> of(Target.RowTarget row) {
        return switch (this) {
            case RESPONDER -> row.responder().map(Target.Service::name);
            case BROKER ->
                row.brokers().size() == 1 ? Optional.of(row.brokers().get(0).name()) : Optional.empty();
            case AGGREGATOR -> Optional.of(Repository.AGGREGATOR);
        };
    }

    /** Whether the row has such a process. */
    boolean serves(Target.RowTarget row) {
        return of(row).isPresent();
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
