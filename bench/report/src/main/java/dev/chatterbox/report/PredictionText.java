package dev.chatterbox.report;

import dev.chatterbox.report.prediction.Answer;
import dev.chatterbox.report.prediction.Prediction;
import dev.chatterbox.report.prediction.Prediction.Estimate;
import dev.chatterbox.report.prediction.Predictor;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.Role;
import dev.chatterbox.workloads.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a load would cost, as a table for a terminal, at most 100 columns wide: the cheapest row first.
 *
 * @param answered whether anything can be said of a row
 */
public record PredictionText(List<String> lines, boolean answered) {

    private static final String FIELDS = "%-19s%9s%9s%9s%9s%16s%9s%16s";

    /**
     * @param runs folders of results, or their files
     * @param workload of the open model, at a rate
     * @throws dev.chatterbox.results.ResultsException a run cannot be read, or nothing can be predicted from them
     */
    public static PredictionText of(List<Path> runs, Workload workload, Ink ink) {
        List<Results> results = runs.stream().map(ResultsFile::read).toList();
        Predictor predictor = new Predictor(results);
        List<Answer> answers = predictor.predict(workload);
        List<Prediction> predictions = answers.stream()
                .flatMap(answer -> answer.prediction().stream())
                .sorted(Comparator.comparingDouble(one -> one.system().value()))
                .toList();
        List<String> lines = new ArrayList<>();
        lines.addAll(TextLines.wrapped(
                "",
                "%s, on a machine such as the one that was measured (%s)."
                        .formatted(Axis.text(workload), Numbers.counted(predictor.cores(), "core"))));
        lines.add("");
        lines.add(" ".repeat(19) + "── processors in use ──");
        lines.add(ink.bold(
                FIELDS.formatted("row", "system", "aggr", "resp", "broker", "nine of ten", "p50", "nine of ten")));
        predictions.forEach(one -> lines.add(line(one)));
        answers.stream()
                .filter(one -> one.prediction().isEmpty())
                .forEach(one -> lines.addAll(
                        TextLines.wrapped("", "%s: no prediction, for %s.".formatted(one.row(), one.refusal()))));
        remarks(predictions).forEach(remark -> lines.addAll(TextLines.wrapped("  ", "! " + remark)));
        return new PredictionText(lines, !predictions.isEmpty());
    }

    private static String line(Prediction one) {
        Estimate system = one.system();
        return FIELDS.formatted(
                        TextLines.cut(one.row(), 18),
                        Numbers.digits(system.value()),
                        cores(one, Role.AGGREGATOR),
                        cores(one, Role.RESPONDER),
                        cores(one, Role.BROKER),
                        Numbers.digits(system.low()) + "–" + Numbers.digits(system.high()),
                        one.p50().map(p50 -> tight(p50.value())).orElse(Numbers.NONE),
                        one.p50()
                                .map(p50 -> tight(p50.low()) + "–" + tight(p50.high()))
                                .orElse(Numbers.NONE))
                .stripTrailing();
    }

    private static String cores(Prediction one, String role) {
        return Optional.ofNullable(one.cores().get(role)).map(Numbers::digits).orElse("");
    }

    private static String tight(double seconds) {
        return Numbers.tight(Numbers.seconds(seconds));
    }

    private static List<String> remarks(List<Prediction> predictions) {
        List<String> remarks = new ArrayList<>();
        for (Prediction one : predictions) {
            remarks.add(PredictionSection.errors(one.row(), one.accuracy()).toString());
            if (one.p50().isEmpty()) {
                remarks.add("%s has no p50, for %s.".formatted(one.row(), one.withoutP50()));
            }
        }
        return remarks;
    }
}
