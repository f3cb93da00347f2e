package dev.chatterbox.comparison.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.processes.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevisionTests {

    @TempDir
    private Path folder;

    @Test
    void isUnknownOutsideOfACheckout() {
        assertThat(Revision.of(folder)).isEqualTo(new Revision(null, null, null));
    }

    /** Such as an archive that was unpacked in somebody's own repository. */
    @Test
    void isUnknownInTheCheckoutOfSomethingElse() throws IOException {
        Command.run(Duration.ofSeconds(30), List.of("git", "init", "--quiet", folder.toString()));
        Path inner = Files.createDirectory(folder.resolve("inner"));

        assertThat(Revision.isCheckout(folder)).isTrue();
        assertThat(Revision.isCheckout(inner)).isFalse();
        assertThat(Revision.of(inner)).isEqualTo(new Revision(null, null, null));
    }

    @Test
    void whatAReleaseDoesNotSayIsUnknown() throws IOException {
        Files.writeString(folder.resolve("release.properties"), "commit=abc1234\n");

        assertThat(Revision.of(folder)).isEqualTo(new Revision("abc1234", null, null));
    }
}
