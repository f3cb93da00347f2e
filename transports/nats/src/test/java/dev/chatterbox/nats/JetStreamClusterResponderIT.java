package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.brokers.RunningNode;
import dev.chatterbox.responder.SharedBroker;
import io.nats.client.api.StreamInfo;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The responder of the variant jetstream-cluster: three servers store each request. */
@Tag("long")
class JetStreamClusterResponderIT extends JetStreamResponderKit {

    JetStreamClusterResponderIT() {
        super(SharedBroker.of(new NatsServer(), 3));
    }

    /** With the second one all streams would get well; the variant must not wait for it. */
    @Test
    void answersWhenTwoOfThreeServersHaveDiedAndOneIsBack() {
        List<RunningNode> dead = server.nodes().subList(1, 3);
        dead.forEach(RunningNode::kill);

        dead.get(0).restart();
        try {
            awaitAnswers(requester, PATIENCE);
        } finally {
            dead.get(1).restart();
        }
    }

    @Test
    void makesStreamsWithThreeReplicas() throws Exception {
        assertThat(management().getStreams())
                .extracting(StreamInfo::getConfiguration)
                .filteredOn(stream -> stream.getName().startsWith("squares-"))
                .isNotEmpty()
                .allSatisfy(stream -> assertThat(stream.getReplicas()).isEqualTo(3));
    }
}
