package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.stack.UsageException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallTimeoutTests {

    /** Each value is what Spring's DurationStyle reads from the text in the aggregator. */
    @ParameterizedTest
    @CsvSource({
        "PT10S, 10000",
        "pt0.5s, 500",
        "10s, 10000",
        "10S, 10000",
        "250ms, 250",
        "750, 750",
        "1m, 60000",
        "1h, 3600000",
        "'', 5000"
    })
    void isWhatTheAggregatorReads(String text, long millis) {
        assertThat(CallTimeout.of(Map.of("CHATTERBOX_CALL_TIMEOUT", text))).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void isFiveSecondsWhereNothingSetsIt() {
        assertThat(CallTimeout.of(Map.of())).isEqualTo(Duration.ofSeconds(5));
        assertThat(CallTimeout.of("")).isEqualTo(Duration.ofSeconds(5));
        assertThat(CallTimeout.of("PT7S")).isEqualTo(Duration.ofSeconds(7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ten", "10 s", "10x", "PT", "1.5s", "999999999999999d"})
    void refusesWhatIsNoDuration(String text) {
        assertThatThrownBy(() -> CallTimeout.of(Map.of("CHATTERBOX_CALL_TIMEOUT", text)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("CHATTERBOX_CALL_TIMEOUT is '" + text + "'");
    }
}
