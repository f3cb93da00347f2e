package dev.chatterbox.report.advice;

import dev.chatterbox.report.prediction.Prediction;
import dev.chatterbox.report.prediction.Prediction.PredictedFigure;
import dev.chatterbox.report.prediction.PredictionOrRefusal;
import dev.chatterbox.report.prediction.Predictor;
import dev.chatterbox.report.prediction.RowPath;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Results;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Says which rows of a run fit a need and what they would cost. A load that was measured is answered by its cells, in
 * which ties are those of the ranking; another one by predictions, which are tied if their ranges overlap.
 */
public final class Adviser {

    private final Results results;
    private final Predictor predictor;
    private final List<Measured> measured;
    private final List<Batched> batching;
    private final Map<String, Row> rows = new TreeMap<>();
    private final Map<String, String> unknown = new TreeMap<>();

    /**
     * @param known says what a request outlives with each row, and which broker it needs
     * @throws dev.chatterbox.results.ResultsException the results do not say how many processors there are
     */
    public Adviser(Results results, Rows known) {
        this.results = results;
        predictor = new Predictor(List.of(results));
        Estimator estimator = results.estimator();
        measured = Measured.of(results, estimator);
        batching = Batched.of(results, estimator);
        results.cells().stream()
                .filter(cell -> !cell.bare() && !cell.isZeroLine())
                .map(Cell::row)
                .distinct()
                .forEach(name -> known.find(name)
                        .ifPresentOrElse(
                                row -> add(row),
                                () -> unknown.put(name, "no file in rows/ says what a request outlives with it")));
    }

    private void add(Row row) {
        if (row.group() == Row.Group.CLAIMS) {
            unknown.put(row.name(), "it has settings as somebody published them, and is never ranked");
        } else {
            rows.put(row.name(), row);
        }
    }

    public Predictor predictor() {
        return predictor;
    }

    /** The brokers of the measured rows. */
    public List<String> brokers() {
        return List.copyOf(new TreeSet<>(rows.values().stream()
                .flatMap(row -> row.broker().stream())
                .map(Row.Broker::name)
                .toList()));
    }

    /** What batches and streams changed, of all rows. */
    public List<Batched> batching() {
        return batching;
    }

    public Advice answer(Question question) {
        Optional<Measured> near = Measured.near(measured, question.workload());
        Map<String, String> without = new TreeMap<>(unknown);
        Map<String, String> unfit = new TreeMap<>();
        List<Row> fitting = new ArrayList<>();
        rows.forEach((name, row) -> {
            if (row.outlives().compareTo(question.needed()) < 0) {
                unfit.put(name, row.outlives().what());
            } else {
                fitting.add(row);
            }
        });
        List<Candidate> candidates = near.map(one -> measured(one, fitting, question.workload(), without))
                .orElseGet(() -> predicted(fitting, question.workload(), without));
        return new Advice(
                question,
                near.map(Measured::workload),
                candidates.stream()
                        .sorted(Comparator.comparingDouble(one -> one.system().value()))
                        .toList(),
                without,
                unfit,
                batching.stream()
                        .filter(one -> rows.containsKey(one.row()) && !unfit.containsKey(one.row()))
                        .toList());
    }

    private static List<Candidate> measured(
            Measured load, List<Row> fitting, Workload workload, Map<String, String> without) {
        double calls = Measured.rate(workload) * workload.calls();
        List<Candidate> candidates = new ArrayList<>();
        for (Row row : fitting) {
            load.figures(row.name())
                    .ifPresentOrElse(
                            figures -> candidates.add(candidate(row, figures, calls)),
                            () -> without.put(row.name(), load.refusal(row.name())));
        }
        return candidates;
    }

    private static Candidate candidate(Row row, Measured.Figures figures, double calls) {
        Map<String, Double> cores = new LinkedHashMap<>(figures.cores());
        cores.replaceAll((role, seconds) -> calls * seconds);
        return new Candidate(
                row,
                cores,
                new PredictedFigure(
                        calls * figures.system().value(),
                        calls * figures.system().low(),
                        calls * figures.system().high()),
                figures.p50().map(p50 -> new PredictedFigure(p50, Double.NaN, Double.NaN)),
                0,
                figures.ties());
    }

    private List<Candidate> predicted(List<Row> fitting, Workload workload, Map<String, String> without) {
        Map<String, PredictionOrRefusal> answers = new TreeMap<>();
        predictor.predict(workload).forEach(answer -> answers.put(answer.row(), answer));
        Map<Row, Prediction> known = new LinkedHashMap<>();
        for (Row row : fitting) {
            PredictionOrRefusal answer = answers.get(row.name());
            if (answer == null) {
                without.put(row.name(), "it was not measured");
                continue;
            }
            answer.prediction()
                    .ifPresentOrElse(
                            prediction -> known.put(row, prediction), () -> without.put(row.name(), answer.refusal()));
        }
        List<Candidate> candidates = new ArrayList<>();
        known.forEach((row, one) -> candidates.add(new Candidate(
                row,
                one.cores(),
                one.system(),
                one.p50(),
                RowPath.of(results.environment().settings(), row.name()).seconds(workload),
                known.values().stream()
                        .filter(other -> other != one && overlap(one.system(), other.system()))
                        .map(Prediction::row)
                        .toList())));
        return candidates;
    }

    private static boolean overlap(PredictedFigure one, PredictedFigure other) {
        return one.low() <= other.high() && other.low() <= one.high();
    }

    /** What a program needs to calculate the same, by names. */
    public Map<String, Object> data() {
        Map<String, Object> needs = new LinkedHashMap<>();
        rows.forEach((name, row) -> needs.put(
                name,
                Map.of(
                        "level", row.outlives().ordinal(),
                        "outlives", row.outlives().what(),
                        "broker", row.broker().map(Row.Broker::name).orElse(""))));
        return Map.of(
                "cores", predictor.cores(),
                "rows", predictor.models(),
                "needs", needs,
                "unknown", unknown,
                "without", predictor.without(),
                "measured", measured.stream().map(this::data).toList());
    }

    private Map<String, Object> data(Measured load) {
        Map<String, Object> figures = new LinkedHashMap<>();
        Map<String, Object> refusals = new LinkedHashMap<>();
        rows.keySet()
                .forEach(row -> load.figures(row)
                        .ifPresentOrElse(known -> figures.put(row, known), () -> refusals.put(row, load.refusal(row))));
        Workload workload = load.workload();
        return Map.of(
                "text", workload.toString(),
                "exchange", workload.exchange().text(),
                "calls", workload.calls(),
                "size", workload.size(),
                "payload", workload.payloadBytes(),
                "rate", load.rate(),
                "figures", figures,
                "refusals", refusals);
    }
}
