package dev.chatterbox.square.python;

import dev.chatterbox.http.HttpResponderKit;
import dev.chatterbox.responder.ActuatorChecks;
import dev.chatterbox.responder.PayloadChecks;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

@Tag("long")
@EnabledIf("dev.chatterbox.square.python.PythonHere#isHere")
class RestPythonStockResponderIT extends HttpResponderKit implements ActuatorChecks, PayloadChecks {

    RestPythonStockResponderIT() {
        super(Path.of(""), "square-service-rest-python-stock", PythonHere.environment("rest-python-stock"));
    }
}
