package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.chatterbox.http.HttpResponderKit;
import dev.chatterbox.responder.ResponderDeviation;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * A responder that is neither Java nor Spring passes the same kit. It needs python3; on a machine without it the
 * property {@code skipPython} leaves it out.
 */
@Tag("long")
@DisabledIfSystemProperty(named = "skipPython", matches = ".*", disabledReason = "-DskipPython was given")
class PythonResponderIT extends HttpResponderKit {

    PythonResponderIT() {
        super(
                Path.of("..", "transports", "rest", "src", "test", "resources", "python-responder"),
                "python-responder",
                Map.of());
    }

    @Override
    protected Set<ResponderDeviation> deviations() {
        return Set.of(ResponderDeviation.IGNORES_WORK);
    }

    @BeforeAll
    static void needsPython() {
        assertThatCode(() -> new ProcessBuilder("python3", "--version").start().waitFor())
                .as("python3 must be on the PATH; where it cannot be, -DskipPython leaves this test out")
                .doesNotThrowAnyException();
    }
}
