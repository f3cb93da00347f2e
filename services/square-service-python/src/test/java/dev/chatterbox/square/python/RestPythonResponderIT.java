package dev.chatterbox.square.python;

import dev.chatterbox.responder.ActuatorChecks;
import dev.chatterbox.responder.PayloadChecks;
import dev.chatterbox.rest.RestResponderKit;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

@Tag("long")
@EnabledIf("dev.chatterbox.square.python.PythonHere#isHere")
class RestPythonResponderIT extends RestResponderKit implements ActuatorChecks, PayloadChecks {

    RestPythonResponderIT() {
        super(Path.of(""), "square-service-rest-python", PythonHere.environment("rest-python"));
    }
}
