package dev.chatterbox.report.prediction;

import java.util.Optional;

/**
 * What can be said of a row.
 *
 * @param prediction empty where nothing can
 * @param refusal why not; empty where something can
 */
public record Answer(String row, Optional<Prediction> prediction, String refusal) {}
