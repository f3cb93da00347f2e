package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.client.ClientSettings;
import dev.chatterbox.client.TestVariants;
import dev.chatterbox.variants.VariantException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.env.MockEnvironment;

class NatsSettingsTests {

    @ParameterizedTest
    @CsvSource({
        "nats, NATS_SERVER, nats://user:secret@host:4222, client.server (NATS_SERVER) must hold no user",
        "jetstream, NATS_SERVER, user:secret@host, client.server (NATS_SERVER) must hold no user",
        "nats, NATS_PROPERTIES, no-such.properties, client.properties (NATS_PROPERTIES) must be a file",
        "jetstream, NATS_PROPERTIES, no-such.properties, client.properties (NATS_PROPERTIES) must be a file"
    })
    void refusesWhatTheServersAddressAndFileMayNotBe(String variant, String variable, String value, String reason) {
        MockEnvironment environment = new MockEnvironment().withProperty(variable, value);
        Class<?> type = variant.equals("nats") ? NatsSettings.class : JetStreamSettings.class;
        assertThatThrownBy(() -> new ClientSettings(TestVariants.find(variant), environment).as(type))
                .isInstanceOf(VariantException.class)
                .hasNoCause()
                .hasMessageContaining(reason)
                .message()
                .doesNotContain("secret");
    }
}
