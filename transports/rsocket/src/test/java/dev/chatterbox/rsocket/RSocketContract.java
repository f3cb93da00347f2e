package dev.chatterbox.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.DirectClientContract;
import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.client.Outcome;
import org.junit.jupiter.api.Test;

/** The checks of every client over RSocket. */
abstract class RSocketContract extends DirectClientContract {

    RSocketContract() {
        super(new Wiring(
                "client.targets", "127.0.0.1:%d", "rsocket", "an error reply: APPLICATION_ERROR: out of numbers"));
    }

    @Override
    protected DirectPeer peer(int port) {
        return new RSocketPeer(port);
    }

    @Override
    protected boolean repliesCanStray() {
        return true;
    }

    /** The library drops such replies. */
    @Override
    protected boolean countsStrayReplies() {
        return false;
    }

    @Test
    void aReplyWithoutAPayloadIsAnError() {
        CallException error = errorOf(request -> ((RSocketPeer.Request) request).nothing());
        assertThat(error.outcome()).isEqualTo(Outcome.ERROR);
        assertThat(error).hasMessage("a reply that is not a square.Output message: it has no payload");
    }

    /** A square service that stops rejects a request, which says that it has not processed it. */
    @Test
    void aRejectedRequestIsUnavailable() {
        CallException error = errorOf(request -> ((RSocketPeer.Request) request).reject("I am stopping"));
        assertThat(error.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(error).hasMessageContaining("I am stopping");
    }
}
