package dev.chatterbox.report;

import dev.chatterbox.report.prediction.Prediction;
import dev.chatterbox.report.prediction.Prediction.PredictedFigure;
import dev.chatterbox.report.prediction.PredictionOrRefusal;
import dev.chatterbox.report.prediction.Predictor;
import dev.chatterbox.report.tables.Emphasis;
import dev.chatterbox.report.tables.Table;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.Role;
import dev.chatterbox.workloads.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * What a load would cost, as a table for a terminal, at most 100 columns wide: the cheapest row first.
 *
 * @param answered whether there is a prediction for at least one row
 */
public record PredictionText(List<String> lines, boolean answered) {

    /**
     * @param runs folders of results, or their files
     * @param workload a workload of the open model, with a rate
     * @throws dev.chatterbox.results.ResultsException a run cannot be read, or nothing can be predicted from the runs
     */
    public static PredictionText of(List<Path> runs, Workload workload, Emphasis emphasis) {
        Predictor predictor = new Predictor(runs.stream().map(ResultsFile::read).toList());
        List<PredictionOrRefusal> answers = predictor.predict(workload);
        List<Prediction> predictions = answers.stream()
                .flatMap(answer -> answer.prediction().stream())
                .sorted(Comparator.comparingDouble(one -> one.system().value()))
                .toList();
        List<String> lines = new ArrayList<>();
        if (!predictions.isEmpty()) {
            lines.addAll(TableText.terminal(table(workload, predictor, predictions), emphasis));
        }
        answers.stream()
                .filter(one -> one.prediction().isEmpty())
                .forEach(one -> lines.addAll(
                        TableText.wrapped("", "%s: no prediction, for %s.".formatted(one.row(), one.refusal()))));
        if (!predictions.isEmpty()) {
            lines.add("");
            lines.addAll(TableText.terminal(PredictionSection.coefficients(predictor), emphasis));
        }
        return new PredictionText(lines, !predictions.isEmpty());
    }

    private static Table table(Workload workload, Predictor predictor, List<Prediction> predictions) {
        List<String> notes = new ArrayList<>(PredictionSection.errors(predictor));
        predictions.stream()
                .filter(one -> one.p50().isEmpty())
                .forEach(one -> notes.add("%s has no p50, for %s.".formatted(one.row(), one.withoutP50())));
        notes.add("The range is that of nine of ten, and holds that the same may cost %s more or less in another hour."
                .formatted(Numbers.percent(Prediction.Accuracy.ANOTHER_HOUR)));
        notes.add("The load generator has its share of the processors, which is in the p50 and in no sum.");
        return Table.<Prediction>of("%s; processors in use, on a machine such as the one that was measured (%s)"
                        .formatted(Axis.text(workload), Numbers.counted(predictor.cores(), "core")))
                .row(Prediction::row)
                .caveats(one -> List.of())
                .number("system", one -> one.system().value(), Numbers::digits)
                .number("aggr", one -> Numbers.orNaN(one.cores().get(Role.AGGREGATOR)), Numbers::digits)
                .number("resp", one -> Numbers.orNaN(one.cores().get(Role.RESPONDER)), Numbers::digits)
                .number("broker", one -> Numbers.orNaN(one.cores().get(Role.BROKER)), Numbers::digits)
                .numbers("range", one -> range(one.system(), Numbers::digits))
                .number("p50", one -> one.p50().map(PredictedFigure::value).orElse(Double.NaN), Numbers::seconds)
                .numbers(
                        "range",
                        one -> one.p50()
                                .map(p50 -> range(p50, Numbers::seconds))
                                .orElse(""))
                .table(predictions, one -> false, notes);
    }

    private static String range(PredictedFigure figure, DoubleFunction<String> number) {
        return number.apply(figure.low()) + "–" + number.apply(figure.high());
    }
}
