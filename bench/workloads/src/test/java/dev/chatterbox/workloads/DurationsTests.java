package dev.chatterbox.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTests {

    @ParameterizedTest
    @CsvSource({"500ms, 0.5", "5s, 5", "0.5s, 0.5", "' 2m', 120", "1h, 3600", "7, 7"})
    void readsDurations(String text, double seconds) {
        assertThat(Durations.seconds(text)).isEqualTo(seconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1s", "5 s", "5d", ".5s", "1e3s", "1234567890s"})
    void saysHowDurationsAreWritten(String text) {
        assertThatThrownBy(() -> Durations.seconds(text))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("500ms, 5s, 0.5s or 2m")
                .hasMessageContaining("'" + text + "'");
    }
}
