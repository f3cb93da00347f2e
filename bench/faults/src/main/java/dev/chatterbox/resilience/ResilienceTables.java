package dev.chatterbox.resilience;

import dev.chatterbox.report.tables.Table;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.resilience.CaseResult.Phase;
import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.results.Environment;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was measured as text: a line for the terminal, tables in Markdown for a page. */
public final class ResilienceTables {

    private ResilienceTables() {}

    /** A line of a table: one phase of a case. The facts about the whole case stand in the line of its first phase. */
    private record PhaseOfCase(CaseResult result, Phase phase) {

        boolean isFirst() {
            return phase == result.phases().get(0);
        }

        String once(Function<CaseResult, String> text) {
            return isFirst() ? text.apply(result) : "";
        }

        String ofAnswers(Function<RequestCounts, String> text) {
            return text.apply(phase.answers());
        }

        /** A figure of the aggregator and of the responder, before the case and after it. */
        String held(Function<Footprint.OfProcess, String> figure) {
            CaseResult.Held held = result.held();
            return held == null || !isFirst()
                    ? ""
                    : held.before().processes().entrySet().stream()
                            .map(before -> "%s → %s"
                                    .formatted(
                                            figure.apply(before.getValue()),
                                            figure.apply(held.after()
                                                    .processes()
                                                    .getOrDefault(before.getKey(), before.getValue()))))
                            .collect(Collectors.joining(", "));
        }
    }

    static String line(CaseResult result) {
        String phases = result.phases().stream()
                .map(phase -> "%s%s right, %d wrong, %s%s"
                        .formatted(
                                result.phases().size() == 1 ? "" : phase.name() + " ",
                                whole(phase.answers().right()),
                                phase.answers().wrong(),
                                errors(phase.answers(), "no errors"),
                                phase.answers().errors().isEmpty()
                                        ? ""
                                        : ", recovered after " + or(phase.rightAgain(), "?")))
                .collect(Collectors.joining("; "));
        return line(result.met(), result.row(), result.name(), phases, result.missed());
    }

    static String line(QueueCaseResult result) {
        QueueCounts counts = result.counts();
        return line(
                result.met(),
                result.row(),
                result.name(),
                "%s acknowledged, %s refused, %s unknown; %s consumed, %s missing, %s lost, %s doubled%s; %s after %.1f s"
                        .formatted(
                                whole(counts.acknowledged()),
                                whole(counts.refused()),
                                whole(counts.unknown()),
                                known(counts.consumed()),
                                known(counts.missing()),
                                known(counts.lost()),
                                known(counts.doubled()),
                                counts.outOfOrder() == null
                                        ? ""
                                        : ", %s out of order".formatted(whole(counts.outOfOrder())),
                                counts.ended(),
                                result.seconds()),
                result.missed());
    }

    private static String line(boolean met, String row, String name, String facts, List<String> missed) {
        return "%s %-7s %-22s %s%s"
                .formatted(met ? "✓" : "✗", row, name, facts, met ? "" : "; MISSED: " + String.join("; ", missed));
    }

    /** The environment of the run, and a table for each row, in the order of the cases. */
    public static String markdown(ResilienceResults results) {
        Environment environment = results.environment();
        StringBuilder text = new StringBuilder("`%s`, %s: %s cores, %s, JDK %s, commit %s. %s\n"
                .formatted(
                        results.command(),
                        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").format(results.started()),
                        environment.machine().cores(),
                        environment.machine().cpu(),
                        environment.java().version(),
                        environment.git().revision(),
                        results.summary()));
        results.measured().stream()
                .collect(Collectors.groupingBy(CaseResult::row, TreeMap::new, Collectors.toList()))
                .forEach((row, ofRow) -> text.append('\n').append(TableText.markdown(requests(row, ofRow))));
        if (!results.queues().isEmpty()) {
            text.append('\n').append(TableText.markdown(messages(results.queues())));
        }
        return text.toString();
    }

    private static Table requests(String row, List<CaseResult> results) {
        return Table.<PhaseOfCase>of(row)
                .caveats(line -> List.of())
                .text("case", line -> line.once(CaseResult::name))
                .text(
                        "phase",
                        line -> line.result().phases().size() == 1
                                ? ""
                                : line.phase().name())
                .numbers("right", line -> line.ofAnswers(answers -> whole(answers.right())))
                .numbers("wrong", line -> line.ofAnswers(answers -> whole(answers.wrong())))
                .text("errors", line -> line.ofAnswers(answers -> errors(answers, "none")))
                .numbers(
                        "longest error",
                        line -> line.ofAnswers(
                                answers -> answers.errors().isEmpty() ? "" : seconds(answers.longestError())))
                .numbers("longest right", line -> line.ofAnswers(answers -> seconds(answers.longestRight())))
                .numbers("p99", line -> seconds(line.phase().p99()))
                .numbers("first right after", line -> or(line.phase().firstRight(), "never"))
                .numbers("recovered after", line -> or(line.phase().rightAgain(), "never"))
                .text("heap, MB", line -> line.held(process -> "%.0f".formatted(process.megabytes())))
                .text("threads", line -> line.held(process -> Long.toString(process.threads())))
                .text("files", line -> line.held(process -> Long.toString(process.files())))
                .text(
                        "row beside",
                        line -> line.once(
                                result -> result.others() == null ? "" : errors(result.others(), "no errors")))
                .text("verdict", line -> line.once(ResilienceTables::verdict))
                .table(
                        results.stream()
                                .flatMap(
                                        result -> result.phases().stream().map(phase -> new PhaseOfCase(result, phase)))
                                .toList(),
                        line -> !line.result().met(),
                        notCarriedOut(results));
    }

    private static List<String> notCarriedOut(List<CaseResult> results) {
        return results.stream()
                .filter(result -> result.phases().isEmpty())
                .map(result -> "%s: %s".formatted(result.name(), String.join("; ", result.missed())))
                .toList();
    }

    private static String verdict(CaseResult result) {
        String verdict = verdict(result.missed());
        return result.remarks().isEmpty() ? verdict : verdict + " " + String.join("; ", result.remarks());
    }

    private static String verdict(List<String> missed) {
        return missed.isEmpty() ? "✓" : "✗ " + String.join("; ", missed);
    }

    private static Table messages(List<QueueCaseResult> results) {
        return Table.<QueueCaseResult>of("Messages")
                .caveats(result -> List.of())
                .text("row", QueueCaseResult::row)
                .text("case", QueueCaseResult::name)
                .numbers("messages", result -> whole(result.messages()))
                .numbers("acknowledged", result -> whole(result.counts().acknowledged()))
                .numbers("refused", result -> whole(result.counts().refused()))
                .numbers("unknown", result -> whole(result.counts().unknown()))
                .numbers("consumed", result -> known(result.counts().consumed()))
                .numbers("missing", result -> known(result.counts().missing()))
                .numbers("lost", result -> known(result.counts().lost()))
                .numbers("doubled", result -> known(result.counts().doubled()))
                .numbers("out of order", result -> {
                    @Nullable Long outOfOrder = result.counts().outOfOrder();
                    return outOfOrder == null ? "" : whole(outOfOrder);
                })
                .numbers("seconds", result -> "%.1f".formatted(result.seconds()))
                .text(
                        "verdict",
                        result -> verdict(result.missed())
                                + (result.counts().ended().equals("complete")
                                        ? ""
                                        : " " + result.counts().ended()))
                .table(results);
    }

    static String known(@Nullable Long count) {
        return count == null ? "?" : whole(count);
    }

    private static String errors(RequestCounts requests, String none) {
        return requests.errors().isEmpty()
                ? none
                : requests.errors().entrySet().stream()
                        .map(error -> "%s × %s".formatted(error.getKey(), whole(error.getValue())))
                        .collect(Collectors.joining(", "));
    }

    private static String or(@Nullable Double seconds, String none) {
        return seconds == null ? none : seconds(seconds);
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f s", seconds);
    }

    private static String whole(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
