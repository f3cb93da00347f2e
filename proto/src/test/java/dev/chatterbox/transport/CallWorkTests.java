package dev.chatterbox.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallWorkTests {

    @ParameterizedTest
    @CsvSource({
        ", , 0, 0",
        "0us, 0s, 0, 0",
        "200us, , 200, 0",
        ", 2ms, 0, 2000",
        "10ms, 1s, 10000, 1000000",
        "10000us, 1000ms, 10000, 1000000"
    })
    void readsBothDurations(String burn, String wait, int burnMicros, int waitMicros) {
        assertThat(CallWork.parse(burn, wait)).isEqualTo(new CallWork(burnMicros, waitMicros));
    }

    @ParameterizedTest
    @CsvSource(
            emptyValue = "",
            value = {
                "burn, 10001us, burn must be 0us to 10ms",
                "burn, 11ms, burn must be 0us to 10ms",
                "burn, 5, it is '5'",
                "burn, -1us, it is '-1us'",
                "burn, 1.5ms, it is '1.5ms'",
                "burn, '', it is ''",
                "burn, 9999999999us, it is '9999999999us'",
                "wait, 1001ms, wait must be 0us to 1s",
                "wait, 2s, such as 200us or 2ms",
                "wait, 1 ms, it is '1 ms'",
                "wait, 1m, it is '1m'",
            })
    void saysTheRangeOfWhatItCannotRead(String name, String text, String message) {
        assertThatThrownBy(() -> CallWork.parse(name.equals("burn") ? text : null, name.equals("wait") ? text : null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0us",
        "1, 1us",
        "999, 999us",
        "1000, 1ms",
        "1500, 1500us",
        "10000, 10ms",
        "1000000, 1s",
        "1001000, 1001ms"
    })
    void showsADurationInItsLargestWholeUnit(int micros, String text) {
        assertThat(CallWork.text(micros)).isEqualTo(text);
        assertThat(CallWork.micros("x", text, Integer.MAX_VALUE)).isEqualTo(micros);
    }

    @ParameterizedTest
    @CsvSource({
        "10001, 0, burn must be 0us to 10ms",
        "-1, 0, 4294967295us",
        "0, 1000001, wait must be 0us to 1s",
        "0, -1, 4294967295us"
    })
    void refusesFieldsBeyondTheirRange(int burnMicros, int waitMicros, String reason) {
        assertThat(CallWork.wrong(burnMicros, waitMicros)).contains(reason);
        assertThat(CallWork.wrong(10_000, 1_000_000)).isNull();
    }

    @Test
    void theCallsOfARequestBurnTenSecondsTogetherAtTheMost() {
        CallWork.requireTogether(1_000, 10_000);
        assertThatThrownBy(() -> CallWork.requireTogether(1_001, 10_000))
                .hasMessage("the calls of a request may burn 10s together, but it would be 10010ms");
    }

    @Test
    void itsQueryIsReadBackAsTheSame() {
        assertThat(CallWork.of(0, 0)).isSameAs(CallWork.NONE);
        assertThat(CallWork.NONE.query()).isEmpty();
        assertThat(new CallWork(200, 2_000).query()).isEqualTo("?burn=200us&wait=2ms");
    }
}
