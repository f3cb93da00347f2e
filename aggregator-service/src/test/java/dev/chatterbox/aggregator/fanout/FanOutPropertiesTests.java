package dev.chatterbox.aggregator.fanout;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FanOutPropertiesTests {

    @Test
    void namePropertyAndRangeWhereAValueIsOut() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> properties(0, Duration.ofSeconds(5), 1, 0.1))
                .withMessage("chatterbox.max-calls must be 1 to 1000000, but it is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> properties(1, Duration.ofMillis(1), 1, 0.1))
                .withMessageContaining("chatterbox.call-timeout must be 10ms to 10m");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> properties(1, Duration.ofSeconds(5), 100_001, 0.1))
                .withMessageContaining("chatterbox.max-in-flight must be 1 to 100000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> properties(1, Duration.ofSeconds(5), 1, 0.6))
                .withMessage("chatterbox.payload-heap-share must be 0.001 to 0.5, but it is 0.6");
    }

    private static FanOutProperties properties(int maxCalls, Duration timeout, int maxInFlight, double heapShare) {
        return new FanOutProperties(maxCalls, timeout, 1, maxInFlight, 1, 1, heapShare, 1);
    }
}
