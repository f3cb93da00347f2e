package dev.chatterbox.comparison.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.comparison.remote.Series.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeriesTests {

    @Test
    void growsFromItsFirstToItsLastSample() {
        // The first sample may be as old as the exporter pleases, so the rate begins with the second one.
        assertThat(series(0, 5, 1, 7, 2, 9, 3, 11).rate()).hasValue(2);
        assertThat(series(0, 5, 10, 30).rate()).as("too few for that").hasValue(2.5);
        assertThat(series(0, 5, 1, 5, 2, 5).rate()).as("idle").hasValue(0);
        assertThat(series(0, 5).rate()).isEmpty();
    }

    @Test
    void countsOnlySamplesInWhichAnExporterHasRefreshedTheCounter() {
        // Refreshed every 10 s, asked for every 5 s.
        Series series = series(0, 100, 5, 100, 10, 110, 15, 110, 20, 120, 25, 120, 30, 130);

        assertThat(series.rate()).hasValue(1);
        assertThat(series.longestGap()).isEqualTo(10);
        assertThat(series(0, 1, 5, 1).longestGap()).isZero();
    }

    @Test
    void seesThatItsProcessWasReplaced() {
        assertThat(series(0, 5, 1, 7, 2, 1, 3, 2).isReset()).isTrue();
        assertThat(series(0, 5, 1, 5, 2, 6).isReset()).isFalse();
    }

    private static Series series(double... timesAndValues) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < timesAndValues.length; i += 2) {
            points.add(new Point(timesAndValues[i], timesAndValues[i + 1]));
        }
        return new Series(Map.of(), points);
    }
}
