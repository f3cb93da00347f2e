package dev.chatterbox.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.UsageException;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** A case that fails must not end the run, whatever the case throws; but Ctrl-C must end the run. */
class AttemptTests {

    @Test
    void aRefusedConnectionIsNamedAsTheReason() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }

        assertThat(Attempt.failure(Steps.SILENT, () -> LocalHttp.get(closed, "/nats")))
                .hasValueSatisfying(reason -> assertThat(reason).startsWith("ConnectException: "));
    }

    @Test
    void whateverIsThrownIsAReason() throws Exception {
        assertThat(Attempt.failure(Steps.SILENT, () -> {})).isEmpty();
        assertThat(Attempt.failure(Steps.SILENT, () -> {
                    throw new UsageException("no such part\nand more");
                }))
                .hasValue("no such part");
        assertThat(Attempt.failure(Steps.SILENT, () -> {
                    throw new ProcessException("it ended.\nIts last lines");
                }))
                .hasValue("it ended. Its last lines");
        assertThat(Attempt.failure(Steps.SILENT, () -> {
                    throw new NoSuchElementException("No value present");
                }))
                .hasValueSatisfying(reason ->
                        assertThat(reason).startsWith("NoSuchElementException: No value present (dev.chatterbox."));
    }

    @Test
    void anInterruptEndsTheRun() {
        assertThatThrownBy(() -> Attempt.failure(Steps.SILENT, () -> {
                    throw new InterruptedException();
                }))
                .isInstanceOf(InterruptedException.class);
        // LocalHttp reports an interrupt in this way.
        assertThatThrownBy(() -> Attempt.failure(Steps.SILENT, () -> {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted");
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    /** A null pointer in a case was "missed: null", and nothing said where. */
    @Test
    void showsTheStackTraceOfAFailureToWhoWantsToSeeIt() throws Exception {
        List<Exception> traced = new ArrayList<>();
        Steps steps = new Steps() {
            @Override
            public void line(String text) {}

            @Override
            public void progress(String text) {}

            @Override
            public void done(String what, double seconds) {}

            @Override
            public void trace(Exception failure) {
                traced.add(failure);
            }
        };
        NullPointerException defect = new NullPointerException();

        assertThat(Attempt.failure(steps, () -> {
                    throw defect;
                }))
                .hasValueSatisfying(reason -> assertThat(reason).startsWith("NullPointerException: "));
        assertThat(traced).containsExactly(defect);
    }
}
