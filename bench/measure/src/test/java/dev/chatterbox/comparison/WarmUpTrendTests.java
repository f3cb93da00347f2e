package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmUpTrendTests {

    @Test
    void isWarmWhenCostsAndJitsHaveComeToRest() {
        WarmUpTrend trend = trend(0.01, 20, 15, 12, 10.1, 10.0);
        assertThat(trend.isWarm()).as("still falling").isFalse();
        trend.add(10.1, 0.01);
        trend.add(9.9, 0.01);
        trend.add(10.0, 0.01);
        assertThat(trend.isWarm()).isTrue();
        trend.add(10.0, 0.2);
        assertThat(trend.isWarm()).as("a compiler at work").isFalse();
    }

    @Test
    void needsTenSecondsToSeeATrend() {
        assertThat(trend(0.01, 10, 10, 10, 10).isWarm()).isFalse();
    }

    @Test
    void goesByTheCostsAloneWhereTheSystemDoesNotTellOfJits() {
        assertThat(trend(Double.NaN, 10, 10, 10, 10, 10).isWarm()).isTrue();
        assertThat(trend(Double.NaN, 14, 13, 12, 11, 10).isWarm()).isFalse();
    }

    private static WarmUpTrend trend(double jitShare, double... costs) {
        WarmUpTrend trend = new WarmUpTrend();
        for (double cost : costs) {
            trend.add(cost, jitShare);
        }
        return trend;
    }
}
