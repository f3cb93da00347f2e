package dev.chatterbox.cli;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names a stack by its port offset. */
final class PortOffset {

    @Option(
            names = "--port-offset",
            paramLabel = "N",
            description = "The stack whose ports are N higher (default: 0; status: every stack; compare and resilience"
                    + " take other ports for a stack that they start, if those are taken).")
    private @Nullable Integer value;

    int value() {
        return value == null ? 0 : value;
    }

    /** Empty if the person names none. */
    Optional<Integer> named() {
        return Optional.ofNullable(value);
    }
}
