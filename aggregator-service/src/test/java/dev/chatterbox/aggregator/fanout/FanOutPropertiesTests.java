package dev.chatterbox.aggregator.fanout;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FanOutPropertiesTests {

    @Test
    void namePropertyAndRangeWhereAValueIsOut() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FanOutProperties(0, Duration.ofSeconds(5), 1, 1, 1))
                .withMessage("chatterbox.max-calls must be 1 to 1000000, but it is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FanOutProperties(1, Duration.ofMillis(1), 1, 1, 1))
                .withMessageContaining("chatterbox.call-timeout must be 10ms to 10m");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FanOutProperties(1, Duration.ofSeconds(5), 1, 100_001, 1))
                .withMessageContaining("chatterbox.max-in-flight must be 1 to 100000");
    }
}
