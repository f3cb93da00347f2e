package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatisticsTests {

    @Test
    void takesTheMiddleOne() {
        assertThat(Statistics.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
        assertThat(Statistics.median(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(3);
        assertThat(Statistics.median(Arrays.asList(null, 5.0, null))).isEqualTo(5);
        assertThat(Statistics.median(List.of())).isNull();
    }

    @Test
    void takesTheOneThatAQuarterDoesNotExceed() {
        assertThat(Statistics.lowerQuartile(List.of(9.0, 1.0, 2.0, 3.0))).isEqualTo(1);
        assertThat(Statistics.lowerQuartile(List.of(5.0, 4.0, 3.0, 2.0, 1.0))).isEqualTo(2);
        assertThat(Statistics.lowerQuartile(Arrays.asList(7.0, null))).isEqualTo(7);
        assertThat(Statistics.lowerQuartile(List.of())).isNull();
    }

    @Test
    void spreadsFromTheLeastToTheMost() {
        assertThat(Statistics.spread(List.of(90.0, 110.0, 100.0))).isEqualTo(0.2);
        assertThat(Statistics.spread(List.of(90.0)))
                .as("one round has no spread")
                .isNull();
        assertThat(Statistics.spread(List.of(0.0, 0.0))).isNull();
    }

    @Test
    void addsUpOnlyWhatIsKnown() {
        assertThat(Statistics.sum(List.of(1.0, 2.5))).isEqualTo(3.5);
        assertThat(Statistics.sum(Arrays.asList(1.0, null))).isNull();
    }

    @Test
    void keepsNumbersThatAreNoneOutOfTheJson() {
        assertThat(Statistics.rounded(Double.NaN)).isNull();
        assertThat(Statistics.rounded(Double.POSITIVE_INFINITY)).isNull();
        assertThat(Statistics.rounded(123.456789)).isEqualTo(123.457);
    }

    @ParameterizedTest
    @CsvSource({"0.01234, 0.012", "1.234, 1.23", "12.34, 12.3", "123.4, 123", "99.97, 100", "9.996, 10.0", "0, 0"})
    void writesThreeDigits(double value, String expected) {
        assertThat(FigureText.digits(value)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"45, 45 s", "200, 3 min 20 s", "3900, 1 h 05 min"})
    void writesTimes(double seconds, String expected) {
        assertThat(FigureText.time(seconds)).isEqualTo(expected);
    }

    @Test
    void fitsTheProgressOnALine() {
        assertThat(ProgressLine.line(30, 90, "round 1/3  kafka unary calls=1000 users=100  measuring"))
                .isEqualTo("██░░░░  1 min 30 s left  round 1/3  kafka unary calls=1000 users=100  measuring")
                .hasSizeLessThan(80);
    }
}
