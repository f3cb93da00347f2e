package dev.chatterbox.square.python;

import dev.chatterbox.processes.PythonEnvironment;
import dev.chatterbox.rows.Rows;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** What the tests of these responders have in common. */
final class PythonHere {

    private static final Optional<String> LACK =
            PythonEnvironment.of(Path.of("")).whyUnavailable();
    private static final AtomicBoolean SAID = new AtomicBoolean();

    private PythonHere() {}

    /** Whether this machine can run them; says once why not. */
    static boolean isHere() {
        if (LACK.isPresent() && SAID.compareAndSet(false, true)) {
            System.out.printf("Skipped: the tests of square-service-python. %s%n", LACK.get());
        }
        return LACK.isEmpty();
    }

    /** What a row tells its responder besides what the description says. */
    static Map<String, String> told(String row) {
        return Rows.read(Path.of("..", "..", "rows"))
                .find(row)
                .flatMap(found -> found.responder())
                .orElseThrow()
                .environment();
    }
}
