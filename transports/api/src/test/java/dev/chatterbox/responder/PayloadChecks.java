package dev.chatterbox.responder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Further checks, of every responder that returns payloads. */
public interface PayloadChecks {

    Requester requester();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 1024, 131_072})
    default void givesThePayloadBack(int bytes) {
        byte[] payload = random(bytes);
        assertThat(requester().send(false, Wire.input(46_341, payload)))
                .succeedsWithin(ResponderKit.PATIENCE)
                .satisfies(reply -> {
                    assertThat(reply.reason()).isEmpty();
                    assertThat(reply.body()).isEqualTo(Wire.output(46_341, 2_147_488_281L, payload));
                });
    }

    static byte[] random(int bytes) {
        byte[] payload = new byte[bytes];
        new Random(bytes).nextBytes(payload);
        return payload;
    }
}
