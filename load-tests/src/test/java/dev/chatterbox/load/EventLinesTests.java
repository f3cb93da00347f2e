package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.workloads.Workload;
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

    private static final Step STEP =
            new Step("1 nats unary calls=1 users=10", "nats", Workload.parse("calls=1 users=10"), null, null);
    private static final PrintStream OUT = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    @Test
    void waitsForNobodyWhereNobodyAnswers() throws InterruptedException {
        EventLines alone = new EventLines(OUT, null);

        assertThat(alone.isWarm(STEP)).isFalse();
        alone.awaitNext(STEP);
    }

    @Test
    void takesAnAnswerForItsOwnStepOnly() throws Exception {
        Path answers = Files.writeString(folder.resolve("answers"), "");
        EventLines lines = new EventLines(OUT, answers);
        answer(answers, "warm 1 nats unary calls=1 users=100\nwarm 1 nats unary calls=1 users=1");
        assertThat(lines.isWarm(STEP)).isFalse();
        answer(answers, "0\n");
        assertThat(lines.isWarm(STEP)).isTrue();

        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
            try {
                lines.awaitNext(STEP);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThatThrownBy(() -> waiting.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        answer(answers, "next 1 nats unary calls=1 users=10\n");
        waiting.get();
    }

    private static void answer(Path answers, String text) throws Exception {
        Files.writeString(answers, text, StandardOpenOption.APPEND);
    }
}
