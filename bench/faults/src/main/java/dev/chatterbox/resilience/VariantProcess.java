package dev.chatterbox.resilience;

import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Target;
import java.util.Locale;
import java.util.Optional;

/** A process that serves a variant. */
enum VariantProcess {
    RESPONDER,
    BROKER,
    AGGREGATOR;

    /** The name of the process; empty if the variant has no such process, or a cluster of nodes as its broker. */
    Optional<String> of(Target.VariantTarget variant) {
        return switch (this) {
            case RESPONDER -> variant.responder().map(Target.Service::name);
            case BROKER ->
                variant.brokers().size() == 1
                        ? Optional.of(variant.brokers().get(0).name())
                        : Optional.empty();
            case AGGREGATOR -> Optional.of(Repository.AGGREGATOR);
        };
    }

    /** Whether the variant has such a process. */
    boolean serves(Target.VariantTarget variant) {
        return of(variant).isPresent();
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
