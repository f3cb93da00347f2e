package dev.chatterbox.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.resilience.load.RudeClients;
import dev.chatterbox.stack.StackException;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** A case that fails must not end the run, whatever the case throws; but Ctrl-C must end the run. */
class AttemptTests {

    @Test
    void clientsThatCannotConnectAreTheReasonOfTheirCase() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }

        assertThat(Attempt.failure(() -> RudeClients.disconnect(closed, "/", 1)))
                .hasValueSatisfying(reason -> assertThat(reason).startsWith("ConnectException: "));
        assertThat(Attempt.failure(() -> RudeClients.readSlowly(closed, "/", 1, 1, Duration.ZERO)))
                .isPresent();
    }

    @Test
    void whateverIsThrownIsAReason() throws Exception {
        assertThat(Attempt.failure(() -> {})).isEmpty();
        assertThat(Attempt.failure(() -> {
                    throw new StackException("no such part\nand more");
                }))
                .hasValue("no such part");
        assertThat(Attempt.failure(() -> {
                    throw new ProcessException("it ended.\nIts last lines");
                }))
                .hasValue("it ended. Its last lines");
        assertThat(Attempt.failure(() -> {
                    throw new NoSuchElementException("No value present");
                }))
                .hasValueSatisfying(reason ->
                        assertThat(reason).startsWith("NoSuchElementException: No value present (dev.chatterbox."));
    }

    @Test
    void anInterruptEndsTheRun() {
        assertThatThrownBy(() -> Attempt.failure(() -> {
                    throw new InterruptedException();
                }))
                .isInstanceOf(InterruptedException.class);
        // LocalHttp reports an interrupt in this way.
        assertThatThrownBy(() -> Attempt.failure(() -> {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted");
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }
}
