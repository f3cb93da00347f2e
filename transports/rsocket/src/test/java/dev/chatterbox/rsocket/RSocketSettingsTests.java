package dev.chatterbox.rsocket;

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

class RSocketSettingsTests {

    @Test
    void severalTargetsHaveCommasBetweenThem() {
        assertThat(settings("rsocket", "client.targets", "one:1,[::1]:2", RSocketSettings.class)
                        .targets())
                .containsExactly("one:1", "[::1]:2");
    }

    @ParameterizedTest
    @CsvSource({
        "rsocket,client.targets,'',must be host:port",
        "rsocket,client.targets,one,must be host:port",
        "rsocket,client.targets,'one:1,two',must be host:port",
        "rsocket,client.keep-alive,9ms,at least 10ms",
        "rsocket,client.max-lifetime,2s,must be longer than client.keep-alive",
        "rsocket-stock,client.targets,one,must be host:port",
        "rsocket-stock,client.targets,:1,must be host:port"
    })
    void whatCannotBeIsRefusedWithItsRange(String variant, String key, String value, String range) {
        Class<?> type = variant.endsWith("-stock") ? RSocketStockSquareClient.Settings.class : RSocketSettings.class;
        assertThatThrownBy(() -> settings(variant, key, value, type))
                .isInstanceOf(VariantException.class)
                .hasMessageContainingAll("variants/" + variant + ".properties", key, range);
    }

    private static <T> T settings(String name, String key, String value, Class<T> type) {
        Variant variant = TestVariants.with(name, Map.of(key, value)).find(name).orElseThrow();
        return new ClientSettings(variant, new MockEnvironment()).as(type);
    }
}
