package dev.chatterbox.responder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Further checks, of every responder that listens on a port of its own and takes protobuf. */
public interface RefusalChecks {

    Requester requester();

    ResponderProcess service();

    /** Bodies that are no square.Input message with a valid number. */
    default List<Named<byte[]>> bodiesThatAreNoRequest() {
        return MessageChecks.bodiesThatAreNoRequest();
    }

    @ParameterizedTest
    @MethodSource("bodiesThatAreNoRequest")
    default void refusesAndCountsWhatIsNoRequestAndGoesOn(byte[] body) {
        int invalid = service().squares("invalid");

        ResponderKit.isRefused(requester().send(false, body));

        assertThat(service().squares("invalid")).isEqualTo(invalid + 1);
        ResponderKit.squaresStill(requester());
    }
}
