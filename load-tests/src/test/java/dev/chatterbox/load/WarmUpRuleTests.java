package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpRuleTests {

    private final WarmUpRule rule = new WarmUpRule(1, 0.05, 3, 2, 8);

    @Test
    void isStableWhenTheLastWindowsLieWithinTheTolerance() {
        assertThat(rule.isStable(List.of(960.0, 1000.0, 1040.0))).isTrue();
        assertThat(rule.isStable(List.of(100.0, 5000.0, 990.0, 1000.0, 1010.0))).isTrue();
        assertThat(rule.isStable(List.of(900.0, 1000.0, 1100.0))).isFalse();
        assertThat(rule.isStable(List.of(1000.0, 1000.0, 1000.0, 1300.0))).isFalse();
    }

    @Test
    void needsAllItsWindows() {
        assertThat(rule.isStable(List.of(1000.0, 1000.0))).isFalse();
    }

    @Test
    void forgivesASlowStepOneRequest() {
        assertThat(rule.isStable(List.of(7.0, 8.0, 7.0))).isTrue();
        assertThat(rule.isStable(List.of(7.0, 10.0, 7.0))).isFalse();
    }

    @Test
    void isNeverStableWithoutOneRightAnswer() {
        assertThat(rule.isStable(List.of(0.0, 0.0, 0.0))).isFalse();
    }

    @Test
    void asksNothingOfOneWindow() {
        WarmUpRule one = new WarmUpRule(0.3, 0.05, 1, 0.3, 0.3);

        assertThat(one.isStable(List.of())).isFalse();
        assertThat(one.isStable(List.of(0.0))).isTrue();
    }

    @Test
    void lastsItsMinimumAndAtMostItsMaximum() {
        List<Double> stable = List.of(10.0, 10.0, 10.0);
        List<Double> unstable = List.of(10.0, 20.0, 30.0);

        assertThat(rule.isOver(1.9, stable)).isFalse();
        assertThat(rule.isOver(3, stable)).isTrue();
        assertThat(rule.isOver(6.9, unstable)).isFalse();
        assertThat(rule.isOver(7.1, unstable)).as("no room for another window").isTrue();
    }

    @Test
    void theOpenModelKnowsItsWindowsBeforehand() {
        assertThat(rule.openWindows()).isEqualTo(3);
        assertThat(new WarmUpRule(0.5, 0.05, 3, 2, 8).openWindows()).isEqualTo(4);
    }
}
