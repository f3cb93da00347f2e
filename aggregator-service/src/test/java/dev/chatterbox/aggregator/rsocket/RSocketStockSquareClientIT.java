package dev.chatterbox.aggregator.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.DirectClientContract;
import dev.chatterbox.aggregator.client.DirectPeer;
import dev.chatterbox.aggregator.client.Outcome;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What holds for every client over RSocket, and the stock client has no more. */
@Tag("long")
class RSocketStockSquareClientIT extends DirectClientContract {

    RSocketStockSquareClientIT() {
        super(new Wiring(
                "client.targets", "127.0.0.1:%d", "rsocket", "an error reply: APPLICATION_ERROR: out of numbers"));
    }

    @Override
    protected String row() {
        return "rsocket-stock";
    }

    @Override
    protected DirectPeer peer(int port) {
        return new RSocketPeer(port);
    }

    @Override
    protected boolean repliesCanStray() {
        return true;
    }

    /** The library drops them. */
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

    /** By a square service that stops: it says that it has not looked at it. */
    @Test
    void aRejectedRequestIsUnavailable() {
        CallException error = errorOf(request -> ((RSocketPeer.Request) request).reject("I am stopping"));
        assertThat(error.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(error).hasMessageContaining("I am stopping");
    }
}
