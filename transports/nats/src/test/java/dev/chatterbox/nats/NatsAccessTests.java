package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nats.client.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NatsAccessTests {

    @ParameterizedTest
    @ValueSource(
            strings = {"nats://user:secret@host:4222", "nats://one:4222,tls://secret@two:4222", "user:secret@host"})
    void refusesAnAddressWithAPasswordAndDoesNotRepeatIt(String server) {
        assertThatThrownBy(() -> NatsAccess.of("nats", server, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageContainingAll(
                        "nats.server (NATS_SERVER)", "no password", "nats.properties (NATS_PROPERTIES)")
                .message()
                .doesNotContain("secret");
    }

    @Test
    void namesTheFileThatCannotBeRead() {
        assertThatThrownBy(() -> NatsAccess.of("nats", "nats://host:4222", "no-such.properties"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("nats.properties (NATS_PROPERTIES)", "no-such.properties");
    }

    @Test
    void takesThePropertiesOfTheFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("nats.properties");
        Files.writeString(file, "io.nats.client.username=square\n");
        NatsAccess access = NatsAccess.of("nats", "nats://one:4222,nats://two:4222", file.toString());

        Options options = access.options().build();

        assertThat(options.getServers()).hasSize(2);
        assertThat(options.getUsernameChars()).containsExactly("square".toCharArray());
    }
}
