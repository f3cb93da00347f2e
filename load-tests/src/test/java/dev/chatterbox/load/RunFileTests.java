package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunFileTests {

    @Test
    void isStableWhenTheLastSlicesLieWithinTheTolerance() {
        assertThat(RunFile.isStable(List.of(960.0, 1000.0, 1040.0))).isTrue();
        assertThat(RunFile.isStable(List.of(100.0, 5000.0, 990.0, 1000.0, 1010.0)))
                .isTrue();
        assertThat(RunFile.isStable(List.of(900.0, 1000.0, 1100.0))).isFalse();
        assertThat(RunFile.isStable(List.of(1000.0, 1000.0, 1000.0, 1300.0))).isFalse();
    }

    @Test
    void needsThreeSlices() {
        assertThat(RunFile.isStable(List.of(1000.0, 1000.0))).isFalse();
    }

    @Test
    void forgivesASlowVariantOneRequest() {
        assertThat(RunFile.isStable(List.of(7.0, 8.0, 7.0))).isTrue();
        assertThat(RunFile.isStable(List.of(7.0, 10.0, 7.0))).isFalse();
    }

    @Test
    void isNeverStableWithoutOneRightAnswer() {
        assertThat(RunFile.isStable(List.of(0.0, 0.0, 0.0))).isFalse();
    }
}
