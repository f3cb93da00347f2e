package dev.chatterbox.aggregator.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.rows.RowException;
import io.nats.client.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.env.MockEnvironment;

class NatsTargetTests {

    private final MockEnvironment environment = new MockEnvironment();

    @ParameterizedTest
    @CsvSource({
        "nats, nats://user:secret@host:4222",
        "nats, 'nats://one:4222,tls://secret@two:4222'",
        "jetstream, user:secret@host"
    })
    void refusesAnAddressWithAPasswordAndDoesNotRepeatIt(String name, String server) {
        environment.setProperty("NATS_SERVER", server);
        assertThatThrownBy(() -> settings(name))
                .isInstanceOf(RowException.class)
                .hasNoCause()
                .hasMessageContainingAll("client.server", "no password", "NATS_PROPERTIES")
                .message()
                .doesNotContain("secret");
    }

    @Test
    void namesTheFileThatCannotBeRead() {
        environment.setProperty("NATS_PROPERTIES", "no-such.properties");
        assertThatThrownBy(() -> settings("nats"))
                .isInstanceOf(RowException.class)
                .hasMessageContainingAll("NATS_PROPERTIES", "no-such.properties");
    }

    @Test
    void takesThePropertiesOfTheFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("nats.properties");
        Files.writeString(file, "io.nats.client.username=square\n");
        NatsTarget target = new NatsTarget("nats://one:4222,nats://two:4222", file.toString());

        Options options = target.options().build();

        assertThat(options.getServers()).hasSize(2);
        assertThat(options.getUsernameChars()).containsExactly("square".toCharArray());
    }

    private void settings(String name) {
        Class<?> type = name.equals("nats") ? NatsSettings.class : JetStreamSettings.class;
        new ClientSettings(TestRows.find(name), environment).as(type);
    }
}
