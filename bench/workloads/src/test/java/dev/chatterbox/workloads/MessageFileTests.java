package dev.chatterbox.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.workloads.MessageFile.Field;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessageFileTests {

    @TempDir
    Path folder;

    @Test
    void whatAProgramWroteIsInTheFile() throws IOException {
        MessageFile file = new MessageFile(folder.resolve("produced"));
        file.set(Field.COUNT, 5);
        file.state(3, MessageFile.REFUSED);

        MessageFile again = new MessageFile(folder.resolve("produced"));

        assertThat(again.get(Field.COUNT)).isEqualTo(5);
        assertThat(again.state(3)).isEqualTo(MessageFile.REFUSED);
    }

    @Test
    void countsAgainByTheStatesOfMessages() throws IOException {
        MessageFile file = new MessageFile(folder.resolve("consumed"));
        file.set(Field.DOUBLED, 1);
        file.state(1, 40);
        file.state(4, 60);

        file.recount();

        assertThat(file.get(Field.COUNT)).isEqualTo(3);
        assertThat(file.get(Field.SUM)).isEqualTo(17);
    }
}
