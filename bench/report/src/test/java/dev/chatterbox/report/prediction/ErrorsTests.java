package dev.chatterbox.report.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.chatterbox.report.prediction.Prediction.PredictedFigure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorsTests {

    /** The range that is printed is the one in which nine of ten were. */
    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1", "3, 3", "0.1, 0.5"})
    void reachFromThePredictionToWhatWasMeasured(double predicted, double measured) {
        PredictedFigure figure = PredictedFigure.of(predicted, Errors.between(predicted, measured));

        assertThat(predicted < measured ? figure.high() : figure.low()).isCloseTo(measured, within(1e-9));
    }

    @Test
    void areToldByTheirMedianAndWhatNineOfTenLieWithin() {
        Errors errors = Errors.of(List.of(0.9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0));

        assertThat(errors).isEqualTo(new Errors(0.55, 0.95, 10));
    }
}
