package dev.chatterbox.square.nats;

import java.nio.file.Path;
import java.util.Map;

class NatsResponderIT extends NatsResponderKit {

    NatsResponderIT() {
        super(Path.of(""), "square-service-nats", Map.of());
    }
}
