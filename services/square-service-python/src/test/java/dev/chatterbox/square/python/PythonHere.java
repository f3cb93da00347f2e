package dev.chatterbox.square.python;

import dev.chatterbox.brokers.Unavailable;
import dev.chatterbox.processes.programs.PythonEnvironment;
import dev.chatterbox.variants.Variants;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** What the tests of these responders have in common. */
final class PythonHere {

    private static final Optional<String> MISSING = Unavailable.why(PythonEnvironment.of(Path.of(""))::origin);
    private static final AtomicBoolean SAID = new AtomicBoolean();

    private PythonHere() {}

    /** Whether this machine can run them; says once why not. */
    static boolean isHere() {
        if (MISSING.isPresent() && SAID.compareAndSet(false, true)) {
            System.out.printf("Skipped: the tests of square-service-python. %s%n", MISSING.get());
        }
        return MISSING.isEmpty();
    }

    /** The environment that a variant gives its responder, besides that of the description. */
    static Map<String, String> environment(String variant) {
        return Variants.read(Path.of("..", "..", "variants"))
                .find(variant)
                .flatMap(variantOfThisName -> variantOfThisName.responder())
                .orElseThrow()
                .environment();
    }
}
