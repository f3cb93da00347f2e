package dev.chatterbox.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.workloads.MessageFile.Field;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessageCountsTests {

    @TempDir
    Path folder;

    private MessageFile produced;
    private MessageFile consumed;

    /** One message is acknowledged and consumed twice, and one of each other kind. */
    @BeforeEach
    void fiveMessages() throws IOException {
        produced = new MessageFile(folder.resolve("produced"));
        consumed = new MessageFile(folder.resolve("consumed"));
        produced.set(Field.COUNT, 5);
        int[] states = {0, 250, -7, MessageFile.REFUSED, MessageFile.UNKNOWN, 90};
        for (int number = 1; number < states.length; number++) {
            produced.state(number, states[number]);
        }
        consumed.state(1, 40);
        consumed.state(4, 60);
        consumed.set(Field.COUNT, 3);
        consumed.set(Field.DOUBLED, 1);
        consumed.set(Field.SUM, 1 + 16);
    }

    @Test
    void aMessageWithoutAnAnswerIsUnknownAndNotLost() {
        MessageCounts counts = MessageCounts.of(5, produced, List.of(consumed));

        assertThat(counts.ended()).isEqualTo(MessageCounts.NO_PROGRESS);
        assertThat(counts.acknowledged()).isEqualTo(2);
        assertThat(counts.refused()).isEqualTo(1);
        assertThat(counts.unknown()).isEqualTo(2);
        assertThat(counts.received()).isEqualTo(3);
        assertThat(counts.consumed()).isEqualTo(2);
        assertThat(counts.missing()).isEqualTo(2);
        assertThat(counts.lost()).isEqualTo(1);
        assertThat(counts.doubled()).isEqualTo(1);
        assertThat(counts.rightSum()).isTrue();
        assertThat(counts.acknowledge().max()).isEqualTo(0.25);
    }

    @Test
    void aSumThatIsNotThatOfTheConsumedNumbersIsWrong() {
        consumed.add(Field.SUM, 1);

        assertThat(MessageCounts.of(5, produced, List.of(consumed)).rightSum()).isFalse();
    }

    @Test
    void aProgramThatWasKilledInTheMiddleOfAMessageGoesOnWithTheRightCounts() {
        consumed.state(2, 50);

        consumed.recount();

        MessageCounts counts = MessageCounts.of(5, produced, List.of(consumed));
        assertThat(counts.received()).isEqualTo(4);
        assertThat(counts.consumed()).isEqualTo(3);
        assertThat(counts.rightSum()).isTrue();
    }

    @Test
    void whatAProgramWroteIsInTheFile() throws IOException {
        MessageFile again = new MessageFile(folder.resolve("produced"));

        assertThat(again.get(Field.COUNT)).isEqualTo(5);
        assertThat(again.state(3)).isEqualTo(MessageFile.REFUSED);
    }
}
