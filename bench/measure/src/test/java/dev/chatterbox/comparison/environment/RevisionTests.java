package dev.chatterbox.comparison.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevisionTests {

    @TempDir
    private Path folder;

    @Test
    void isUnknownOutsideOfACheckout() {
        assertThat(Revision.of(folder)).isEqualTo(new Revision(null, null, null));
    }

    @Test
    void whatAReleaseDoesNotSayIsUnknown() throws IOException {
        Files.writeString(folder.resolve("release.properties"), "commit=abc1234\n");

        assertThat(Revision.of(folder)).isEqualTo(new Revision("abc1234", null, null));
    }
}
