package dev.chatterbox.report;

import dev.chatterbox.report.prediction.Prediction;
import dev.chatterbox.report.prediction.Predictor;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.transport.Exchange;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * The sliders of a report whose run was fit to predict from.
 *
 * @param machine "2 cores"
 * @param calls the right end of a slider: the decimal logarithm of what can be asked for
 * @param rate likewise
 * @param payload likewise; "0" where none was measured
 * @param size likewise
 * @param distance likewise, in milliseconds; "0" where no row has a link
 * @param errors how far it lay off, by row
 * @param data the models, for prediction.js
 */
record PredictionSection(
        Palette palette,
        String machine,
        String calls,
        String rate,
        String payload,
        String size,
        String distance,
        List<String> exchanges,
        List<Sentence> errors,
        String data) {

    /** Empty where the open model was not measured at three rates, or the results do not tell of the machine. */
    static Optional<PredictionSection> of(MeasuredRun run, Palette palette) {
        Predictor predictor;
        try {
            predictor = new Predictor(List.of(run.results()));
        } catch (ResultsException e) {
            return Optional.empty();
        }
        if (!predictor.knowsAnything()) {
            return Optional.empty();
        }
        return Optional.of(new PredictionSection(
                palette,
                Numbers.counted(predictor.cores(), "core"),
                end(predictor.reach(Predictor.CALLS)),
                end(predictor.reach(Predictor.RATE)),
                end(predictor.reach(Predictor.PAYLOAD)),
                end(predictor.reach(Predictor.SIZE)),
                end(predictor.longestDistance()),
                predictor.exchanges().stream().map(Exchange::text).toList(),
                predictor.errors().entrySet().stream()
                        .map(row -> errors(row.getKey(), row.getValue()))
                        .toList(),
                script(predictor)));
    }

    static String script(Predictor predictor) {
        Map<String, Object> models = Map.of("cores", predictor.cores(), "rows", predictor.models());
        return JsonMapper.shared().writeValueAsString(models).replace("<", "\\u003c");
    }

    private static String end(double most) {
        return most < 1 ? "0" : String.format(Locale.ROOT, "%.2f", Math.log10(most));
    }

    /** In the report and in the terminal. */
    static Sentence errors(String row, Prediction.Accuracy accuracy) {
        Sentence rates = Sentence.of(
                "{}: {} of which the model knew other rates lay {}",
                Sentence.row(row),
                Numbers.counted(accuracy.rates().cpu().cells(), "cell"),
                off(accuracy.rates()));
        return accuracy.loads()
                .map(loads -> Sentence.of(
                        "{}; {} of loads that it knew at no rate lay {}.",
                        rates,
                        Numbers.counted(loads.cpu().cells(), "cell"),
                        off(loads)))
                .orElseGet(() -> rates.then("."));
    }

    private static String off(Prediction.HeldOut errors) {
        return "%s off in processors and %s in p50 (median; nine of ten within %s and %s)"
                .formatted(
                        Numbers.percent(errors.cpu().median()),
                        Numbers.percent(errors.latency().median()),
                        Numbers.percent(errors.cpu().nineOfTen()),
                        Numbers.percent(errors.latency().nineOfTen()));
    }
}
