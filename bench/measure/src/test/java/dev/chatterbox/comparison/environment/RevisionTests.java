package dev.chatterbox.comparison.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RevisionTests {

    @TempDir
    private Path folder;

    @Test
    @Timeout(10)
    void waitsNoLongerThanTheTimeoutForAProgramThatHangs() {
        assertThat(Revision.output(folder, Duration.ofMillis(200), "sleep", "60"))
                .isEmpty();
        assertThat(Revision.output(folder, Duration.ofSeconds(9), "echo", "done"))
                .contains("done");
    }

    @Test
    void whatAReleaseDoesNotSayIsUnknown() throws IOException {
        Files.writeString(folder.resolve("release.properties"), "commit=abc1234\n");

        assertThat(Revision.of(folder)).isEqualTo(new Revision("abc1234", null, null));
    }
}
