package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.client.ClientSettings;
import dev.chatterbox.client.TestVariants;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.VariantException;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

class RestSettingsTests {

    @Test
    void aConnectionCarriesOneCallOverHttp1AndManyOverH2c() {
        assertThat(settings("rest", Map.of()).streams()).isEqualTo(1);
        assertThat(settings("rest-h2c", Map.of()).streams()).isEqualTo(128);
        assertThatThrownBy(() -> settings("rest", Map.of("client.streams", "2")))
                .isInstanceOf(VariantException.class)
                .hasMessage("variants/rest.properties: client.streams must be 1 to 1 over HTTP/1.1, but it is 2");
        assertThatThrownBy(() -> settings("rest-h2c", Map.of("client.streams", "10001")))
                .isInstanceOf(VariantException.class)
                .hasMessageContaining("client.streams must be 1 to 10000 over HTTP/2 without TLS, but it is 10001");
    }

    @Test
    void theCallsInFlightAreThoseOfAllConnections() {
        String urls = String.join(",", Collections.nCopies(30, "http://localhost:7575"));
        assertThat(settings("rest-h2c", Map.of("client.connections", "2", "client.urls", urls))
                        .maxInFlight())
                .isEqualTo(2 * 128 * 30);
        assertThat(settings(
                                "rest-h2c",
                                Map.of("client.connections", "10000", "client.streams", "10000", "client.urls", urls))
                        .maxInFlight())
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aProtocolThatIsNoneIsRefused() {
        assertThatThrownBy(() -> settings("rest-h2c", Map.of("client.protocol", "http3")))
                .isInstanceOf(VariantException.class)
                .hasMessageContainingAll("variants/rest-h2c.properties", "client.protocol", "http3");
    }

    @Test
    void aUrlWithAUserIsRefusedAndNotRepeated() {
        assertThatThrownBy(() -> settings("rest", Map.of("client.urls", "http://user:geheim@localhost:7575")))
                .isInstanceOf(VariantException.class)
                .hasMessageContaining("hold no user")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void anUnderscoreInTheNameOfAHostIsNamedAsTheReason() {
        assertThatThrownBy(() -> settings("rest", Map.of("client.urls", "http://square_rest:7575")))
                .isInstanceOf(VariantException.class)
                .hasMessageContaining("no underscore");
    }

    private static RestSettings settings(String name, Map<String, String> values) {
        Variant variant = TestVariants.with(name, values).find(name).orElseThrow();
        return new ClientSettings(variant, new MockEnvironment()).as(RestSettings.class);
    }
}
