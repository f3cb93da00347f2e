package dev.chatterbox.square.python;

import dev.chatterbox.http.HttpResponderKit;
import dev.chatterbox.responder.ActuatorChecks;
import dev.chatterbox.responder.PayloadChecks;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

@Tag("long")
@EnabledIf("dev.chatterbox.square.python.PythonHere#isHere")
class RestPythonResponderIT extends HttpResponderKit implements ActuatorChecks, PayloadChecks {

    RestPythonResponderIT() {
        super(Path.of(""), "square-service-rest-python", PythonHere.environment("rest-python"));
    }
}
