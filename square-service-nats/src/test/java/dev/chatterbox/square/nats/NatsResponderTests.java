package dev.chatterbox.square.nats;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.square.common.Faults;
import dev.chatterbox.square.common.SquareResponder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class NatsResponderTests {

    private final SquareResponder responder =
            new SquareResponder("square-service-nats", Faults.NONE, new SimpleMeterRegistry());

    @Test
    void refusesAnAddressWithAPasswordAndDoesNotRepeatIt() {
        assertThatThrownBy(() -> connect("nats://user:secret@host:4222", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageContainingAll("NATS_SERVER", "no password", "NATS_PROPERTIES")
                .message()
                .doesNotContain("secret");
    }

    @Test
    void namesTheFileThatCannotBeRead() {
        assertThatThrownBy(() -> connect("nats://host:4222", "no-such.properties"))
                .hasMessageContainingAll("NATS_PROPERTIES", "no-such.properties");
    }

    private void connect(String server, String properties) {
        new NatsResponder(server, properties, new ServiceRequests("subject", "queue-group", responder), responder);
    }
}
