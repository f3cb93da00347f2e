package dev.chatterbox.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueSettingsTests {

    private static QueueSettings of(String... arguments) {
        return QueueSettings.of(arguments, Map.of("SERVER", "nats://there:4222"));
    }

    @Test
    void variablesOfTheEnvironmentStandInSettings() {
        assertThat(of("--client.server=${SERVER:nats://here:4222}").client("server"))
                .isEqualTo("nats://there:4222");
        assertThat(of("--client.server=${OTHER:nats://here:4222}").client("server"))
                .isEqualTo("nats://here:4222");
    }

    @Test
    void theWindowSaysHowManyMessagesOfEachPublisherWaitForTheirAcknowledgement() {
        assertThat(of("--queue=q").mostUnacknowledged(100)).isEqualTo(100);
        assertThat(of("--client.window=16").mostUnacknowledged(100)).isEqualTo(1_600);
        assertThat(of("--client.window=0").mostUnacknowledged(100)).isEqualTo(Integer.MAX_VALUE);
    }
}
