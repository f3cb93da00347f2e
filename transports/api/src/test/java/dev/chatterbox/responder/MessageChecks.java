package dev.chatterbox.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Further checks, of every responder whose requests are messages that name a reply address. */
public interface MessageChecks {

    Requester requester();

    ResponderProcess service();

    /** The address from which the responder takes requests, in the form of a reply address. */
    String ownAddress();

    /** Sends the responder a request whose reply goes to this address; null for a request without a reply address. */
    void send(@Nullable String replyTo, byte[] body);

    static List<Named<byte[]>> bodiesThatAreNoRequest() {
        return List.of(
                Named.of("garbage", new byte[] {(byte) 0xFF, 1, 2}),
                Named.of("text", "5".getBytes(StandardCharsets.US_ASCII)),
                Named.of("empty", new byte[0]),
                Named.of("a field that nobody knows, and no number", new byte[] {0x18, 5}),
                Named.of("more than a frame or a packet, more than once", new byte[900_000]));
    }

    @ParameterizedTest
    @MethodSource("dev.chatterbox.responder.MessageChecks#bodiesThatAreNoRequest")
    default void refusesWhatIsNoRequestAndGoesOn(byte[] body) {
        assertThat(requester().send(false, body))
                .succeedsWithin(ResponderKit.PATIENCE)
                .satisfies(reply -> {
                    assertThat(reply.code()).isEqualTo(400);
                    assertThat(reply.reason()).isNotBlank();
                    assertThat(reply.body()).isEmpty();
                });
        goesOn();
    }

    @Test
    default void countsWhatNamesNoAddressAndGoesOn() {
        int invalid = service().squares("invalid");

        send(null, Wire.input(3));
        send(null, new byte[] {1});

        await().atMost(ResponderKit.PATIENCE).until(() -> service().squares("invalid") == invalid + 2);
        goesOn();
    }

    @Test
    default void doesNotTalkToItselfWhereTheReplyAddressIsItsOwn() {
        int ok = service().squares("ok");
        int invalid = service().squares("invalid");

        send(ownAddress(), Wire.input(3));

        await().atMost(ResponderKit.PATIENCE).until(() -> service().squares("invalid") == invalid + 1);
        assertThat(service().squares("ok")).isEqualTo(ok + 1);
        goesOn();
        assertThat(service().squares("invalid")).isEqualTo(invalid + 1);
    }

    private void goesOn() {
        assertThat(requester().ask(3)).succeedsWithin(ResponderKit.PATIENCE).isEqualTo(Requester.Answer.square(9));
    }
}
