package dev.chatterbox.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void returnsWhatItPrintedWithoutItsInput() throws IOException {
        assertThat(Command.run(PATIENCE, List.of("sh", "-c", "cat; echo one; echo two >&2")))
                .isEqualTo("one\ntwo");
    }

    @Test
    void saysWithTheLastLinesThatItFailed() {
        assertThatThrownBy(() -> Command.run(PATIENCE, List.of("sh", "-c", "seq 11; exit 3")))
                .isInstanceOf(IOException.class)
                .hasMessage("sh failed:%n  2\n  3\n  4\n  5\n  6\n  7\n  8\n  9\n  10\n  11".formatted());
    }

    @Test
    void doesNotWaitForWhatItStarted() throws IOException {
        assertThat(Command.run(Duration.ofSeconds(10), List.of("sh", "-c", "sleep 30 & echo done")))
                .isEqualTo("done");
    }

    @Test
    void endsWhatIsNotDoneInTime() {
        assertThatThrownBy(() -> Command.run(Duration.ofSeconds(1), List.of("sleep", "30")))
                .isInstanceOf(IOException.class)
                .hasMessage("sleep was not done in PT1S");
    }
}
