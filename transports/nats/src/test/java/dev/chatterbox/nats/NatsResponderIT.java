package dev.chatterbox.nats;

import dev.chatterbox.responder.BatchChecks;
import dev.chatterbox.responder.MutationChecks;
import java.nio.file.Path;
import java.util.Map;

class NatsResponderIT extends NatsResponderKit implements BatchChecks, MutationChecks {

    NatsResponderIT() {
        super(Path.of(""), "square-service-nats", Map.of());
    }

    /** max_payload of the server, by default: the answer is larger, and cannot be sent. */
    @Override
    public int largestBody() {
        return 1 << 20;
    }
}
