package dev.chatterbox.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.client.ClientSettings;
import dev.chatterbox.client.TestVariants;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.VariantException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.env.MockEnvironment;

class VertxSettingsTests {

    @ParameterizedTest
    @CsvSource({"rest-vertx,false", "rest-vertx-pipelined,true", "rest-vertx-h2c,false"})
    void callsArePipelinedOverHttp1WithSeveralStreams(String variant, boolean pipelined) {
        assertThat(settings(variant, Map.of()).isPipelined()).isEqualTo(pipelined);
    }

    @ParameterizedTest
    @CsvSource({
        "client.url,https://localhost:1,must be http://host:port",
        "client.url,http://localhost,must be http://host:port",
        "client.url,localhost:1,must be http://host:port",
        "client.connections,0,1 to 10000",
        "client.streams,10001,1 to 10000",
        "client.h2c,perhaps,perhaps",
        "client.connect-timeout,0ms,at least 1ms"
    })
    void whatCannotBeIsRefusedWithItsRange(String key, String value, String range) {
        assertThatThrownBy(() -> settings("rest-vertx-h2c", Map.of(key, value)))
                .isInstanceOf(VariantException.class)
                .hasMessageContainingAll("variants/rest-vertx-h2c.properties", key, range);
    }

    @Test
    void aUrlWithAUserIsRefusedAndNotRepeated() {
        assertThatThrownBy(() -> settings("rest-vertx", Map.of("client.url", "http://user:geheim@localhost:7596")))
                .isInstanceOf(VariantException.class)
                .hasMessageContaining("hold no user")
                .hasMessageNotContaining("geheim");
    }

    private static VertxSettings settings(String name, Map<String, String> values) {
        Variant variant = TestVariants.with(name, values).find(name).orElseThrow();
        return new ClientSettings(variant, new MockEnvironment()).as(VertxSettings.class);
    }
}
