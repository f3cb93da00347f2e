package dev.chatterbox.square.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.square.common.SharedBroker;
import io.nats.client.api.StreamInfo;
import org.junit.jupiter.api.Test;

/** The responder of the row jetstream-cluster: three servers store each request. */
class JetStreamClusterResponderIT extends JetStreamResponderKit {

    JetStreamClusterResponderIT() {
        super(SharedBroker.of(new NatsServer(), 3));
    }

    @Test
    void makesStreamsWithThreeReplicas() throws Exception {
        assertThat(management().getStreams())
                .extracting(StreamInfo::getConfiguration)
                .filteredOn(stream -> stream.getName().startsWith("squares-"))
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(stream -> assertThat(stream.getReplicas()).isEqualTo(3));
    }
}
