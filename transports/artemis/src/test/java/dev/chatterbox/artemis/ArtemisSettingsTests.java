package dev.chatterbox.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.TestVariants;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

class ArtemisSettingsTests {

    private static final String URL = "(tcp://10.0.0.1:5445?sslEnabled=true&trustStorePassword=geheim,(x),"
            + "tcp://user:geheim@broker-2:5445)?ha=true&keyStorePassword=geheim";

    private static ArtemisSettings settings(String url) {
        return new ArtemisSettings(url, false);
    }

    @Test
    void noPasswordOfTheUrlIsShown() {
        Variant variant = TestVariants.find("artemis");
        CallLimits limits = new CallLimits(10, 0, 1 << 20, Duration.ofSeconds(5));
        ArtemisSquareClient client = new ArtemisSquareClient(variant, settings(URL), limits, new SimpleMeterRegistry());

        assertThat(client.settings()).containsEntry("url", "tcp://10.0.0.1:5445,tcp://broker-2:5445");
        StepVerifier.create(client.check())
                .expectErrorMessage("no connection to the Artemis broker at tcp://10.0.0.1:5445,tcp://broker-2:5445")
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void aPlainUrlIsShownAsItIs() {
        assertThat(ArtemisConnection.addresses("tcp://[::1]:5445")).isEqualTo("tcp://[::1]:5445");
    }
}
