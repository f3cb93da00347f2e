package dev.chatterbox.report.prediction;

import java.util.Optional;

/**
 * What can be said about a row.
 *
 * @param prediction empty if nothing can be predicted
 * @param refusal why nothing can be predicted; empty if there is a prediction
 */
public record PredictionOrRefusal(String row, Optional<Prediction> prediction, String refusal) {}
