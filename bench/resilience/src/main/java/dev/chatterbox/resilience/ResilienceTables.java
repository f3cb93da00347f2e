package dev.chatterbox.resilience;

import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.results.Environment;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was measured as text: a line for the terminal, tables in Markdown for a page. */
public final class ResilienceTables {

    private static final String HEAD = """
            | case | right | wrong | errors | longest error | longest right | well again after | heap, MB | threads | files | row beside | |
            |---|--:|--:|---|--:|--:|--:|---|---|---|---|---|
            """;

    private static final String NODES_HEAD = """
            | case | nodes | phase | right | wrong | errors | p99 | first right after | right again after | |
            |---|---|---|--:|--:|---|--:|--:|--:|---|
            """;

    private static final String QUEUES_HEAD = """
            | row | case | messages | acknowledged | refused | unknown | consumed | missing | lost | doubled | out of order | seconds | |
            |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|
            """;

    private ResilienceTables() {}

    static String line(QueueCaseResult one) {
        return "%s %-7s %-22s %s acknowledged, %s refused, %s unknown; %s consumed, %s missing, %s lost, %s doubled%s; %s after %.1f s%s"
                .formatted(
                        one.met() ? "✓" : "✗",
                        one.row(),
                        one.name(),
                        whole(one.counts().acknowledged()),
                        whole(one.counts().refused()),
                        whole(one.counts().unknown()),
                        known(one.counts().consumed()),
                        known(one.counts().missing()),
                        known(one.counts().lost()),
                        known(one.counts().doubled()),
                        one.counts().outOfOrder() == null
                                ? ""
                                : ", %s out of order"
                                        .formatted(whole(one.counts().outOfOrder())),
                        one.counts().ended(),
                        one.seconds(),
                        one.met() ? "" : "; MISSED: " + String.join("; ", one.missed()));
    }

    static String known(@Nullable Long count) {
        return count == null ? "?" : whole(count);
    }

    /** A table of the queues during which something broke; nothing if there were none. */
    private static String queues(List<QueueCaseResult> results) {
        StringBuilder text = new StringBuilder();
        if (!results.isEmpty()) {
            text.append("### Queues\n\n").append(QUEUES_HEAD);
        }
        for (QueueCaseResult one : results) {
            text.append("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %.1f | %s |\n"
                    .formatted(
                            one.row(),
                            one.name(),
                            whole(one.messages()),
                            whole(one.counts().acknowledged()),
                            whole(one.counts().refused()),
                            whole(one.counts().unknown()),
                            known(one.counts().consumed()),
                            known(one.counts().missing()),
                            known(one.counts().lost()),
                            known(one.counts().doubled()),
                            one.counts().outOfOrder() == null
                                    ? ""
                                    : whole(one.counts().outOfOrder()),
                            one.seconds(),
                            (one.met() ? "✓" : "✗ " + String.join("; ", one.missed()))
                                    + (one.counts().ended().equals("complete")
                                            ? ""
                                            : " " + one.counts().ended())));
        }
        return text.toString();
    }

    static String line(CaseResult one) {
        return "%s %-7s %-21s %8s right, %d wrong; %s%s%s"
                .formatted(
                        one.met() ? "✓" : "✗",
                        one.row(),
                        one.name(),
                        whole(one.answers().right()),
                        one.answers().wrong(),
                        errors(one.answers(), "no errors"),
                        one.answers().errors().isEmpty()
                                ? ""
                                : ", at the latest after "
                                        + seconds(one.answers().longestError()),
                        one.met() ? "; well after " + recovery(one) : "; MISSED: " + String.join("; ", one.missed()));
    }

    static String line(NodeCaseResult one) {
        String phases = one.phases().stream()
                .map(phase -> "%s %s right, %s, p99 %s%s"
                        .formatted(
                                phase.name(),
                                whole(phase.answers().right()),
                                errors(phase.answers(), "no errors"),
                                seconds(phase.p99()),
                                phase.answers().errors().isEmpty()
                                        ? ""
                                        : ", right again after " + or(phase.rightAgain(), "?")))
                .collect(Collectors.joining("; "));
        return "%s %-7s %-23s %s; %s%s"
                .formatted(
                        one.met() ? "✓" : "✗",
                        one.row(),
                        one.name(),
                        String.join(", ", one.nodes()),
                        phases,
                        one.met() ? "" : "; MISSED: " + String.join("; ", one.missed()));
    }

    /** A table of the cases of each row's cluster; nothing if there were none. */
    private static String nodes(List<NodeCaseResult> results) {
        StringBuilder text = new StringBuilder();
        results.stream()
                .collect(Collectors.groupingBy(NodeCaseResult::row, TreeMap::new, Collectors.toList()))
                .forEach((row, measured) -> {
                    text.append("### %s: nodes away\n\n%.0f requests a second. Before the first case: %s.\n\n"
                                    .formatted(
                                            row,
                                            measured.get(0).rate(),
                                            measured.get(0).leaders()))
                            .append(NODES_HEAD);
                    measured.forEach(one -> one.phases().forEach(phase -> text.append(row(one, phase))));
                    text.append('\n');
                });
        return text.toString();
    }

    private static String row(NodeCaseResult one, NodeCaseResult.Phase phase) {
        boolean first = phase == one.phases().get(0);
        return "| %s | %s | %s | %s | %d | %s | %s | %s | %s | %s |\n"
                .formatted(
                        first ? one.name() : "",
                        first ? String.join(", ", one.nodes()) : "",
                        phase.name(),
                        whole(phase.answers().right()),
                        phase.answers().wrong(),
                        errors(phase.answers(), "none"),
                        "%.0f ms".formatted(1e3 * phase.p99()),
                        or(phase.firstRight(), "never"),
                        or(phase.rightAgain(), "never"),
                        first ? one.met() ? "✓" : "✗ " + String.join("; ", one.missed()) : "");
    }

    private static String or(@Nullable Double seconds, String none) {
        return seconds == null ? none : seconds(seconds);
    }

    /** The environment of the run, and a table for each row, in the order of the cases. */
    public static String markdown(ResilienceResults results) {
        Map<String, List<CaseResult>> rows = results.measured().stream()
                .collect(Collectors.groupingBy(CaseResult::row, TreeMap::new, Collectors.toList()));
        Environment environment = results.environment();
        StringBuilder text = new StringBuilder("`%s`, %s: %s cores, %s, JDK %s, commit %s. %s\n\n"
                .formatted(
                        results.command(),
                        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").format(results.started()),
                        environment.machine().cores(),
                        environment.machine().cpu(),
                        environment.java().version(),
                        environment.git().revision(),
                        results.summary()));
        rows.forEach((row, measured) -> {
            text.append("### ").append(row).append("\n\n").append(HEAD);
            measured.forEach(one -> text.append(row(one)));
            text.append('\n');
        });
        return text.append(nodes(results.nodes()))
                .append(queues(results.queues()))
                .toString();
    }

    private static String row(CaseResult one) {
        RequestCounts requests = one.answers();
        return "| %s | %s | %d | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n"
                .formatted(
                        one.name(),
                        whole(requests.right()),
                        requests.wrong(),
                        errors(requests, "none"),
                        requests.errors().isEmpty() ? "" : seconds(requests.longestError()),
                        seconds(requests.longestRight()),
                        recovery(one),
                        held(one, process -> "%.0f".formatted(process.megabytes())),
                        held(one, process -> Long.toString(process.threads())),
                        held(one, process -> Long.toString(process.files())),
                        one.others() == null ? "" : errors(one.others(), "no errors"),
                        verdict(one));
    }

    private static String verdict(CaseResult one) {
        String verdict = one.met() ? "✓" : "✗ " + String.join("; ", one.missed());
        return one.remarks().isEmpty() ? verdict : verdict + " " + String.join("; ", one.remarks());
    }

    /** A figure of the aggregator and of the responders, before the case and after it. */
    private static String held(CaseResult one, Function<Footprint.OfProcess, String> figure) {
        Footprint before = one.before();
        Footprint after = one.after();
        return before == null || after == null
                ? ""
                : before.processes().entrySet().stream()
                        .map(then -> "%s → %s"
                                .formatted(
                                        figure.apply(then.getValue()),
                                        figure.apply(after.processes().getOrDefault(then.getKey(), then.getValue()))))
                        .collect(Collectors.joining(", "));
    }

    private static String errors(RequestCounts requests, String none) {
        return requests.errors().isEmpty()
                ? none
                : requests.errors().entrySet().stream()
                        .map(error -> "%s × %s".formatted(error.getKey(), whole(error.getValue())))
                        .collect(Collectors.joining(", "));
    }

    private static String recovery(CaseResult one) {
        @Nullable Double recovery = one.recovery();
        return recovery == null ? "never" : seconds(recovery);
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f s", seconds);
    }

    private static String whole(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
