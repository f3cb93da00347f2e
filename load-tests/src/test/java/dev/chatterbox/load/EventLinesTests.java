package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(10)
class EventLinesTests {

    private static final Cell CELL = new Cell("1-nats-1-10", null, "nats", 1, 10, null, null, null);
    private static final PrintStream OUT = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    @Test
    void waitsForNobodyWhereNobodyAnswers() throws InterruptedException {
        EventLines alone = new EventLines(OUT, null);

        assertThat(alone.isWarm(CELL)).isFalse();
        alone.awaitNext(CELL);
    }

    @Test
    void takesAnAnswerForItsOwnCellOnly() throws Exception {
        Path answers = Files.writeString(folder.resolve("answers"), "");
        EventLines lines = new EventLines(OUT, answers);
        answer(answers, "warm 1-nats-1-100\nwarm 1-nats-1-1");
        assertThat(lines.isWarm(CELL)).isFalse();
        answer(answers, "0\n");
        assertThat(lines.isWarm(CELL)).isTrue();

        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
            try {
                lines.awaitNext(CELL);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThatThrownBy(() -> waiting.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        answer(answers, "next 1-nats-1-10\n");
        waiting.get();
    }

    private static void answer(Path answers, String text) throws Exception {
        Files.writeString(answers, text, StandardOpenOption.APPEND);
    }
}
