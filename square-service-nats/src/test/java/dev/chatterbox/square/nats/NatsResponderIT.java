package dev.chatterbox.square.nats;

import dev.chatterbox.square.common.BatchChecks;
import java.nio.file.Path;
import java.util.Map;

class NatsResponderIT extends NatsResponderKit implements BatchChecks {

    NatsResponderIT() {
        super(Path.of(""), "square-service-nats", Map.of());
    }
}
