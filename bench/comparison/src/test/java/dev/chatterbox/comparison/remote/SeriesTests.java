package dev.chatterbox.comparison.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.comparison.remote.Series.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeriesTests {

    @Test
    void isKnownFromItsFirstToItsLastSample() {
        assertThat(ends(series(0, 5, 10, 30))).containsExactly(0.0, 10.0);
        assertThat(ends(series(0, 5, 1, 5, 2, 5))).as("idle").containsExactly(0.0, 2.0);
        assertThat(ends(series(0, 5, 9, 6, 10, 7, 11, 8, 20, 8)))
                .as("in bursts, which no refresh makes")
                .containsExactly(0.0, 20.0);
        assertThat(series(0, 5).span()).isEmpty();
    }

    @Test
    void countsOnlySamplesInWhichAnExporterHasRefreshedTheCounter() {
        // Refreshed every 10 s, asked for every 5 s.
        Series series = series(0, 100, 5, 100, 10, 110, 15, 110, 20, 120, 25, 120, 30, 130);

        assertThat(ends(series)).containsExactly(10.0, 30.0);
        assertThat(series.refresh()).isEqualTo(10);
        assertThat(series.interval()).isEqualTo(5);
        assertThat(series(0, 1, 5, 1).refresh()).isZero();
    }

    @Test
    void liesOnTheLineBetweenItsSamples() {
        Series series = series(10, 100, 12, 300, 14, 900);

        assertThat(series.at(11)).isEqualTo(200);
        assertThat(series.at(13)).isEqualTo(600);
        assertThat(series.at(15)).as("beyond the last").isEqualTo(1200);
        assertThat(series.at(9)).as("before the first").isEqualTo(0);
    }

    @Test
    void seesThatItsProcessWasReplaced() {
        assertThat(series(0, 5, 1, 7, 2, 1, 3, 2).isReset()).isTrue();
        assertThat(series(0, 5, 1, 5, 2, 6).isReset()).isFalse();
    }

    private static List<Double> ends(Series series) {
        Series span = series.span().orElseThrow();
        return List.of(span.first().seconds(), span.last().seconds());
    }

    private static Series series(double... timesAndValues) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < timesAndValues.length; i += 2) {
            points.add(new Point(timesAndValues[i], timesAndValues[i + 1]));
        }
        return new Series(Map.of(), points);
    }
}
