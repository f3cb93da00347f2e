package dev.chatterbox.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.VariantException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.mock.env.MockEnvironment;

class ClientSettingsTests {

    private final MockEnvironment environment = new MockEnvironment();

    record Settings(List<URI> urls, @DefaultValue("7") int connections, String connectTimeout) {

        Settings {
            if (connections < 1) {
                throw new IllegalArgumentException("client.connections must be at least 1, but it is " + connections);
            }
        }
    }

    @Test
    void takesPlaceholdersFromTheEnvironment() {
        environment.setProperty("SQUARE_REST_URL", "http://one:1,http://two:2");
        Settings settings = settings(Map.of());
        assertThat(settings.urls()).containsExactly(URI.create("http://one:1"), URI.create("http://two:2"));
        assertThat(settings.connections()).isEqualTo(128);
    }

    @Test
    void namesTheFileAndTheKeyOfAValueThatIsWrong() {
        assertThatThrownBy(() -> settings(Map.of("client.connections", "many")))
                .isInstanceOf(VariantException.class)
                .hasMessageStartingWith("variants/rest.properties: client.connections: ")
                .hasMessageContaining("many");
        assertThatThrownBy(() -> settings(Map.of("client.connections", "0")))
                .isInstanceOf(VariantException.class)
                .hasMessage("variants/rest.properties: client.connections must be at least 1, but it is 0");
    }

    @Test
    void refusesAKeyThatTheClientDoesNotKnow() {
        assertThatThrownBy(() -> settings(Map.of("client.conections", "1")))
                .isInstanceOf(VariantException.class)
                .hasMessageStartingWith("variants/rest.properties: client")
                .hasMessageContaining("client.conections");
    }

    private Settings settings(Map<String, String> values) {
        Variant variant = TestVariants.with("rest", values).find("rest").orElseThrow();
        return new ClientSettings(variant, environment).as(Settings.class);
    }
}
