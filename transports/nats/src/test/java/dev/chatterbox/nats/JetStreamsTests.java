package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.ClientSettings;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.TestVariants;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.VariantException;
import io.nats.client.api.StorageType;
import io.nats.client.impl.NatsMessage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.env.MockEnvironment;

class JetStreamsTests {

    /** The form that the server writes, and one whose members are in another order. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"stream\":\"squares-file\",\"seq\":7}",
                "{\"seq\":7, \"stream\":\"squares-file\",\"duplicate\":true}"
            })
    void takesAnAcknowledgement(String json) {
        assertThatCode(() -> acknowledged(json)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"error\":{\"code\":503,\"err_code\":10077,\"description\":\"maximum messages exceeded\"},\"stream\":\"squares-file\",\"seq\":0} | UNAVAILABLE | maximum messages exceeded",
                "{} | ERROR | cannot be read",
                "{\"stream | UNAVAILABLE | not stored"
            })
    void saysWhatWasNotStored(String json, Outcome outcome, String reason) {
        assertThatThrownBy(() -> acknowledged(json))
                .isInstanceOf(CallException.class)
                .hasMessageContaining(reason)
                .satisfies(error -> assertThat(Outcome.of(error)).isEqualTo(outcome));
    }

    private static void acknowledged(String json) {
        JetStreams.requireStored(
                NatsMessage.builder()
                        .subject("inbox.1")
                        .data(json, StandardCharsets.UTF_8)
                        .build(),
                "request",
                "no stream");
    }

    @Test
    void variantsSayWhereRequestsAndRepliesAreStored() {
        assertThat(settings("jetstream", Map.of()))
                .extracting(JetStreamSettings::storage, JetStreamSettings::replies)
                .containsExactly(StorageType.File, JetStreamSettings.ReplyPath.CORE);
        assertThat(settings("jetstream-memory", Map.of()).storage()).isEqualTo(StorageType.Memory);
        assertThat(settings("jetstream-replies", Map.of()).replies()).isEqualTo(JetStreamSettings.ReplyPath.STREAM);
        assertThatThrownBy(() -> settings("jetstream", Map.of("client.storage", "tape")))
                .isInstanceOf(VariantException.class)
                .hasMessageContainingAll("variants/jetstream.properties", "client.storage", "tape");
    }

    private static JetStreamSettings settings(String name, Map<String, String> values) {
        Variant variant = TestVariants.with(name, values).find(name).orElseThrow();
        return new ClientSettings(variant, new MockEnvironment()).as(JetStreamSettings.class);
    }
}
