package dev.chatterbox.square.nats;

import dev.chatterbox.square.common.BatchChecks;
import dev.chatterbox.square.common.MutationChecks;
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
