package dev.chatterbox.report;

import dev.chatterbox.report.advice.Adviser;
import dev.chatterbox.report.prediction.Coefficients;
import dev.chatterbox.report.prediction.Prediction;
import dev.chatterbox.report.prediction.Predictor;
import dev.chatterbox.report.tables.Table;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.rows.Rows;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The sliders and the advice of a report whose run is fit for predictions, and what prediction.jte shows beside them. */
record PredictionSection(Adviser adviser) {

    /** Empty if nothing was measured at three rates, or if the results do not describe the machine. */
    static Optional<PredictionSection> of(Results results, Rows rows) {
        try {
            return Optional.of(new Adviser(results, rows))
                    .filter(adviser -> !adviser.predictor().models().isEmpty())
                    .map(PredictionSection::new);
        } catch (ResultsException e) {
            return Optional.empty();
        }
    }

    /** The data with which prediction.js calculates. */
    Map<String, Object> data() {
        Map<String, Object> data = new HashMap<>(adviser.data());
        data.put(
                "batching",
                adviser.batching().stream()
                        .map(one -> Map.of("row", one.row(), "batch", one.isBatch(), "text", AdviceText.batched(one)))
                        .toList());
        return data;
    }

    Predictor predictor() {
        return adviser.predictor();
    }

    /** The right end of a slider: the decimal logarithm of the largest value; "0" if there is no such value. */
    static String end(double most) {
        return most < 1 ? "0" : String.format(Locale.ROOT, "%.2f", Math.log10(most));
    }

    /** The coefficients of the models, for the report and the terminal. */
    static Table coefficients(Predictor predictor) {
        Table.Description<Coefficients> table = Table.<Coefficients>of(
                        "What one of each costs, in CPU-µs, a byte in CPU-ns, ± half of the 99 % interval")
                .row(Coefficients::row)
                .caveats(one -> List.of())
                .text("process", Coefficients::role);
        IntStream.range(0, Coefficients.NAMES.size())
                .forEach(k -> table.numbers(Coefficients.NAMES.get(k), model -> coefficient(model, k)));
        return table.table(predictor.coefficients());
    }

    private static String coefficient(Coefficients model, int k) {
        double scale = Coefficients.NAMES.get(k).equals("byte") ? 1e9 : 1e6;
        double value = model.seconds()[k] * scale;
        double within = model.within()[k] * scale;
        return value == 0 ? "" : Numbers.digits(value) + (Double.isFinite(within) ? "±" + Numbers.digits(within) : "");
    }

    /** How far the models were from what was measured, by row; for the report and the terminal. */
    static List<String> errors(Predictor predictor) {
        return predictor.errors().entrySet().stream()
                .map(row -> errors(row.getKey(), row.getValue()))
                .toList();
    }

    private static String errors(String row, Prediction.Accuracy accuracy) {
        return "%s: %s of which the model knew other rates lay %s"
                        .formatted(row, Numbers.counted(accuracy.rates().cpu().cells(), "cell"), off(accuracy.rates()))
                + accuracy.loads()
                        .map(loads -> "; %s of loads that it knew at no rate lay %s."
                                .formatted(Numbers.counted(loads.cpu().cells(), "cell"), off(loads)))
                        .orElse(".");
    }

    private static String off(Prediction.HeldOut errors) {
        return "%s off in processors%s (median; nine of ten within %s%s)"
                .formatted(
                        Numbers.percent(errors.cpu().median()),
                        errors.latency()
                                .map(p50 -> " and %s in p50".formatted(Numbers.percent(p50.median())))
                                .orElse(""),
                        Numbers.percent(errors.cpu().nineOfTen()),
                        errors.latency()
                                .map(p50 -> " and " + Numbers.percent(p50.nineOfTen()))
                                .orElse(""));
    }
}
