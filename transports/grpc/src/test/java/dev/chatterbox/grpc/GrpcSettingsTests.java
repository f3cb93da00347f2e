package dev.chatterbox.grpc;

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

class GrpcSettingsTests {

    @Test
    void severalTargetsHaveCommasBetweenThem() {
        assertThat(settings(Map.of("client.targets", "one:1,dns:///two:2")).targets())
                .containsExactly("one:1", "dns:///two:2");
    }

    @ParameterizedTest
    @CsvSource({
        "client.targets,'',must be host:port",
        "client.channels,0,1 to 64",
        "client.channels,65,1 to 64",
        "client.max-age,99ms,at least 100ms"
    })
    void whatCannotBeIsRefusedWithItsRange(String key, String value, String range) {
        assertThatThrownBy(() -> settings(Map.of(key, value)))
                .isInstanceOf(VariantException.class)
                .hasMessageContainingAll("variants/grpc.properties", key, range);
    }

    private static GrpcSettings settings(Map<String, String> values) {
        Variant variant = TestVariants.with("grpc", values).find("grpc").orElseThrow();
        return new ClientSettings(variant, new MockEnvironment()).as(GrpcSettings.class);
    }
}
