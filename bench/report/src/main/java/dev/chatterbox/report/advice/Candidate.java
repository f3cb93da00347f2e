package dev.chatterbox.report.advice;

import dev.chatterbox.report.prediction.Prediction.PredictedFigure;
import dev.chatterbox.rows.Row;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A row that fits, and what it would cost.
 *
 * @param cores processors in use by role
 * @param system processors in use by all of them; its range is the 99 % interval if the load was measured
 * @param p50 the median latency of a request, in seconds, with the distance; a measured one has no range
 * @param distance how long a request waits for the distance alone, in seconds
 * @param ties the rows from which its cost cannot be told apart
 */
public record Candidate(
        Row row,
        Map<String, Double> cores,
        PredictedFigure system,
        Optional<PredictedFigure> p50,
        double distance,
        List<String> ties) {

    public String name() {
        return row.name();
    }
}
