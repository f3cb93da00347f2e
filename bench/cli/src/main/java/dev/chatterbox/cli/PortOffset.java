package dev.chatterbox.cli;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names a stack by its port offset. */
final class PortOffset {

    @Option(
            names = "--port-offset",
            paramLabel = "N",
            description = "The stack whose ports are all moved by N (default: 0; of a stack that compare or resilience"
                    + " starts itself, another if those ports are taken; of status, every stack).")
    private @Nullable Integer value;

    int value() {
        return value == null ? 0 : value;
    }

    /** Empty if the person names none. */
    Optional<Integer> named() {
        return Optional.ofNullable(value);
    }
}
