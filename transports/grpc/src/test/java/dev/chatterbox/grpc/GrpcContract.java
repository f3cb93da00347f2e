package dev.chatterbox.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.DirectClientContract;
import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.client.Outcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checks of every client over gRPC. */
abstract class GrpcContract extends DirectClientContract {

    GrpcContract() {
        super(new Wiring(
                "client.targets", "localhost:%d", "grpc", "an error reply: FAILED_PRECONDITION: out of numbers"));
    }

    @Override
    protected DirectPeer peer(int port) {
        return new GrpcPeer(port);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void aReplyOfNoneOrTwoMessagesIsAnError(int messages) {
        CallException error = errorOf(request -> ((GrpcPeer.Request) request).messages(messages));
        assertThat(error.outcome()).isEqualTo(Outcome.ERROR);
    }
}
