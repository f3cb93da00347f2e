package dev.chatterbox.report;

import dev.chatterbox.report.advice.Advice;
import dev.chatterbox.report.advice.Adviser;
import dev.chatterbox.report.advice.Batched;
import dev.chatterbox.report.advice.Candidate;
import dev.chatterbox.report.advice.Question;
import dev.chatterbox.report.prediction.Prediction;
import dev.chatterbox.report.prediction.Prediction.PredictedFigure;
import dev.chatterbox.report.tables.Emphasis;
import dev.chatterbox.report.tables.Table;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.workloads.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * Which rows fit a need, for a terminal, at most 100 columns wide, and for programs.
 *
 * @param answered whether there is a figure for at least one row that fits
 */
public record AdviceText(List<String> lines, String json, boolean answered) {

    private static final String NO_BATCHES =
            "The results hold no batches of these rows: ./chatterbox compare --preset cure measures them, and docs/cure.md has older figures.";

    /**
     * @param run a folder of results, or their file
     * @param source where the figures come from, and why from there
     * @throws dev.chatterbox.results.ResultsException the run cannot be read, or does not describe its machine
     */
    public static AdviceText of(Path run, String source, Rows rows, Question question, Emphasis emphasis) {
        MeasuredRun measured = MeasuredRun.of("", ResultsFile.read(run));
        Advice advice = new Adviser(measured.results(), rows).answer(question);
        List<String> lines = new ArrayList<>(TableText.wrapped("", "You need: " + needs(question)));
        lines.addAll(TableText.wrapped("", "Figures: %s (%s).".formatted(source, measured.meta())));
        lines.add("");
        if (!advice.fitting().isEmpty()) {
            lines.addAll(TableText.terminal(table(advice), emphasis));
            lines.add("");
        }
        List<String> sentences = sentences(advice);
        TableText.wrapped("", sentences.get(0)).forEach(line -> lines.add(emphasis.bold(line)));
        sentences.stream().skip(1).forEach(sentence -> lines.addAll(TableText.wrapped("", sentence)));
        Map<String, Object> json = new LinkedHashMap<>(Map.of("source", source));
        json.putAll(advice.json());
        json.put("answer", sentences);
        return new AdviceText(
                lines,
                JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(json),
                !advice.fitting().isEmpty());
    }

    private static String needs(Question question) {
        return "%s; a request %s; %s."
                .formatted(
                        Axis.text(question.workload()),
                        question.outlivesRestart()
                                ? "must outlive a restart of the broker"
                                : question.mayBeLost() ? "may be lost" : "must not be lost with a responder",
                        question.brokers().isEmpty()
                                ? "there is no broker yet"
                                : "already there: "
                                        + Numbers.listed(question.brokers().stream()
                                                .sorted()
                                                .toList()));
    }

    private static Table table(Advice advice) {
        List<String> tied = advice.tied().stream().map(Candidate::name).toList();
        Workload workload = advice.question().workload();
        double calls = advice.calls();
        List<String> notes = new ArrayList<>();
        if (advice.measured().isEmpty()) {
            notes.add(
                    "Predicted. The range holds nine of ten errors of the prediction, and that the same may cost %s more or less in another hour (docs/prediction.md)."
                            .formatted(Numbers.percent(Prediction.Accuracy.ANOTHER_HOUR)));
        } else {
            notes.add(
                    "Measured at %s. The range is the 99 %% interval. Ties come from ratios within blocks, so two ranges may overlap though one row costs more beyond doubt."
                            .formatted(Axis.text(advice.measured().get())));
        }
        if (advice.fitting().stream().anyMatch(one -> one.p50().isEmpty())) {
            notes.add("No p50: the open model has too few rates, or this load is beyond what was measured.");
        }
        return Table.<Candidate>of("Processors in use, the cheapest row first")
                .row(Candidate::name)
                .caveats(one -> List.of())
                .text("", one -> tied.size() > 1 && tied.contains(one.name()) ? "tied" : "")
                .number("processors", one -> one.system().value(), Numbers::digits)
                .numbers("range", one -> range(one.system(), Numbers::digits))
                .number("CPU-µs a call", one -> one.system().value() * 1e6 / calls, Numbers::digits)
                .spare(2)
                .number("p50", one -> one.p50().map(PredictedFigure::value).orElse(Double.NaN), Numbers::seconds)
                .numbers(
                        "range",
                        one -> one.p50()
                                .filter(p50 -> Double.isFinite(p50.low()))
                                .map(p50 -> range(p50, Numbers::seconds))
                                .orElse(""))
                .spare(1)
                .number(
                        "distance",
                        one -> workload.distanceMillis() == 0 ? Double.NaN : one.distance(),
                        Numbers::seconds)
                .text("a request outlives", one -> one.row().outlives().what())
                .text("broker", one -> advice.operation(one.row()))
                .table(advice.fitting(), one -> false, notes);
    }

    private static String range(PredictedFigure figure, DoubleFunction<String> number) {
        return Double.isFinite(figure.low()) ? number.apply(figure.low()) + "–" + number.apply(figure.high()) : "";
    }

    /** What the figures say, and what they do not; prediction.js says the same. */
    static List<String> sentences(Advice advice) {
        List<String> sentences = new ArrayList<>();
        List<String> tied = advice.tied().stream().map(Candidate::name).toList();
        sentences.add(verdict(advice, tied));
        if (tied.size() > 1) {
            sentences.add(breaks("What a request outlives", advice.byGuarantee()));
            sentences.add(breaks("The broker to operate", advice.byOperation()));
        }
        if (!tied.isEmpty()) {
            sentences.addAll(batching(advice));
        }
        grouped(advice.without())
                .forEach((reason, rows) ->
                        sentences.add("No figure for %s: %s.".formatted(Numbers.listed(rows), reason)));
        if (!advice.unfit().isEmpty()) {
            sentences.add("These do not fit, because a request outlives too little (%s)."
                    .formatted(named(grouped(advice.unfit()))));
        }
        return sentences;
    }

    private static List<String> batching(Advice advice) {
        if (advice.question().workload().calls() == 1) {
            return List.of("Batching changes nothing: a request has one call.");
        }
        List<String> sentences = new ArrayList<>(
                advice.batching().stream().map(AdviceText::batched).toList());
        if (advice.batching().stream().noneMatch(Batched::isBatch)) {
            sentences.add(NO_BATCHES);
        }
        return sentences;
    }

    /** Rows by what is said of them. */
    private static Map<String, List<String>> grouped(Map<String, String> rows) {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        new TreeMap<>(rows)
                .forEach((row, what) ->
                        groups.computeIfAbsent(what, none -> new ArrayList<>()).add(row));
        return groups;
    }

    private static String verdict(Advice advice, List<String> tied) {
        boolean measured = advice.measured().isPresent();
        if (tied.isEmpty()) {
            return "No row that was measured fits and has a figure.";
        }
        if (advice.fitting().size() == 1) {
            return "Only %s fits and has a figure.".formatted(tied.get(0));
        }
        if (tied.size() == 1) {
            return measured
                    ? "The figures name one: %s. Each other row that fits costs more beyond doubt (99 %%)."
                            .formatted(tied.get(0))
                    : "The figures name one: %s. The range of each other row that fits is above its range."
                            .formatted(tied.get(0));
        }
        return "The figures name no single row. Tied are %s: %s"
                .formatted(
                        Numbers.listed(tied),
                        measured ? "this run could not tell their costs apart." : "their ranges overlap.");
    }

    /** "What a request outlives may break the tie (nats: nothing; kafka: a restarted broker)." */
    private static String breaks(String what, Map<String, List<String>> rows) {
        return rows.size() == 1
                ? "%s does not break the tie: %s, with each.".formatted(what, String.join("", rows.keySet()))
                : "%s may break the tie (%s).".formatted(what, named(rows));
    }

    /** "nats: nothing; jetstream and kafka: a restarted broker" */
    private static String named(Map<String, List<String>> rows) {
        return rows.entrySet().stream()
                .map(group -> "%s: %s".formatted(Numbers.listed(group.getValue()), group.getKey()))
                .collect(Collectors.joining("; "));
    }

    /** "rest, 1,000 calls a request, 8 users, as a stream: 1.86 CPU-µs a call; as single messages 60.1, 31.7 […]" */
    static String batched(Batched one) {
        return "%s, %s: %s CPU-µs a call; as single messages %s, %s [%s–%s] times as much."
                .formatted(
                        one.row(),
                        Axis.text(Workload.parse(one.load())),
                        Numbers.digits(one.together()),
                        Numbers.digits(one.single()),
                        Numbers.ratio(one.ratio()),
                        Numbers.ratio(one.low()),
                        Numbers.ratio(one.high()));
    }
}
