package dev.chatterbox.report.advice;

import dev.chatterbox.report.prediction.Prediction.PredictedFigure;
import dev.chatterbox.rows.Row;
import dev.chatterbox.workloads.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a question.
 *
 * @param measured the measured load whose figures these are; empty if they are predicted
 * @param fitting the rows that fit and whose cost is known, the cheapest first
 * @param without the rows that fit, or may fit, but have no figure, and why
 * @param unfit the rows that do not fit, and what a request outlives with them
 * @param batching what batches and streams of the fitting rows changed where they were measured
 */
public record Advice(
        Question question,
        Optional<Workload> measured,
        List<Candidate> fitting,
        Map<String, String> without,
        Map<String, String> unfit,
        List<Batched> batching) {

    /** The rows of which no other is cheaper for certain: at least one if any fits. */
    public List<Candidate> tied() {
        return fitting.stream()
                .filter(one -> fitting.subList(0, fitting.indexOf(one)).stream()
                        .allMatch(cheaper -> one.ties().contains(cheaper.name())))
                .toList();
    }

    /** How many calls a second the question has. */
    public double calls() {
        return Measured.rate(question.workload()) * question.workload().calls();
    }

    /** The tied rows by what a request outlives with them. */
    public Map<String, List<String>> byGuarantee() {
        return grouped(row -> row.outlives().what());
    }

    /** The tied rows by what somebody must operate for them. */
    public Map<String, List<String>> byOperation() {
        return grouped(this::operation);
    }

    private Map<String, List<String>> grouped(Function<Row, String> by) {
        return tied().stream()
                .map(Candidate::row)
                .collect(Collectors.groupingBy(
                        by, LinkedHashMap::new, Collectors.mapping(Row::name, Collectors.toList())));
    }

    /** "no broker", "nats, there" or "nats, new" */
    public String operation(Row row) {
        return row.broker()
                .map(broker -> broker.name() + (question.brokers().contains(broker.name()) ? ", there" : ", new"))
                .orElse("no broker");
    }

    /** The answer for programs; the report's form calculates the same. */
    public Map<String, Object> json() {
        List<String> tied = tied().stream().map(Candidate::name).toList();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("load", question.workload().toString());
        json.put("basis", measured.isPresent() ? "measured" : "predicted");
        json.put("measuredLoad", measured.map(Workload::toString).orElse(null));
        json.put("rows", fitting.stream().map(this::json).toList());
        json.put("tied", tied);
        json.put("guarantee", byGuarantee());
        json.put("operation", byOperation());
        json.put("withoutFigure", without);
        json.put("unfit", unfit);
        json.put("batching", batching);
        return json;
    }

    private Map<String, Object> json(Candidate one) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("row", one.name());
        json.put("processors", json(one.system()));
        json.put("byRole", one.cores());
        json.put("p50Seconds", one.p50().map(Advice::json).orElse(null));
        json.put("distanceSeconds", one.distance());
        json.put("outlives", one.row().outlives().what());
        json.put("operation", operation(one.row()));
        return json;
    }

    private static Map<String, @Nullable Double> json(PredictedFigure figure) {
        Map<String, @Nullable Double> json = new LinkedHashMap<>();
        json.put("value", figure.value());
        json.put("low", Double.isNaN(figure.low()) ? null : (Double) figure.low());
        json.put("high", Double.isNaN(figure.high()) ? null : (Double) figure.high());
        return json;
    }
}
