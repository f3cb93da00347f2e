package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.responder.Faults;
import dev.chatterbox.responder.SquareResponder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NatsResponderTests {

    @ParameterizedTest
    @CsvSource({
        "nats://user:secret@host:4222, '', nats.server (NATS_SERVER) must hold no user",
        "nats://host:4222, no-such.properties, nats.properties (NATS_PROPERTIES) must be a file"
    })
    void doesNotStartWhereServerOrFileAreNoneThatCanBe(String server, String properties, String reason) {
        try (SquareResponder responder = new SquareResponder("test", Faults.NONE, new SimpleMeterRegistry())) {
            assertThatThrownBy(() -> new NatsResponder()
                            .natsResponder(server, properties, "", "subject", "group", Duration.ZERO, 1, responder))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(reason);
        }
    }
}
