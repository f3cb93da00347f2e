package dev.chatterbox.square.python;

import dev.chatterbox.nats.NatsResponderKit;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

@Tag("kit")
@EnabledIf("dev.chatterbox.square.python.PythonHere#isHere")
class NatsPythonResponderIT extends NatsResponderKit {

    NatsPythonResponderIT() {
        super(Path.of(""), "square-service-nats-python", PythonHere.environment("nats-python"));
    }
}
