package dev.chatterbox.square.rest;

import dev.chatterbox.square.common.ActuatorChecks;
import dev.chatterbox.square.common.ResponderProcess;
import java.nio.file.Path;
import java.util.Map;

class RestResponderIT extends RestResponderKit implements ActuatorChecks {

    RestResponderIT() {
        super(Path.of(""), "square-service-rest", Map.of());
    }

    @Override
    public ResponderProcess service() {
        return service;
    }
}
