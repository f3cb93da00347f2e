package dev.chatterbox.nats;

import static org.awaitility.Awaitility.await;

import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class JetStreamRepliesSquareClientIT extends JetStreamSquareClientIT {

    @Override
    protected String variant() {
        return "jetstream-replies";
    }

    @Test
    void makesTheStreamOfRepliesAgainThatSomebodyDeletesOnTheRunningServer() throws Exception {
        ready(client());
        try (Connection connection = Nats.connect(url())) {
            JetStreamManagement management = connection.jetStreamManagement();
            List<String> streams = management.getStreamNames("*.*.replies.>");
            for (String stream : streams) {
                management.deleteStream(stream);
            }

            await().atMost(PATIENCE)
                    .until(() ->
                            !streams.isEmpty() && management.getStreamNames().containsAll(streams));
        }
    }
}
