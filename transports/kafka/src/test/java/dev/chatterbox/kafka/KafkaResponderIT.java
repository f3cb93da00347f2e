package dev.chatterbox.kafka;

import dev.chatterbox.responder.BatchChecks;
import dev.chatterbox.responder.MutationChecks;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

class KafkaResponderIT extends KafkaResponderKit implements BatchChecks, MutationChecks {

    KafkaResponderIT() {
        super(Path.of(""), "square-service-kafka", Map.of());
    }

    /** About max.request.size of the requester, by default. */
    @Override
    public int largestBody() {
        return (1 << 20) - 1_024;
    }

    /** The topics are gone if a broker has come back without its data. */
    @Test
    void makesItsTopicsAgainWhereTheyAreGone() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.deleteTopics(List.of("square.requests", "square.requests.batch"))
                    .all()
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        // A busy disk deletes topics slowly.
        awaitAnswers(requester, PATIENCE.multipliedBy(2));
    }
}
