package dev.chatterbox.resilience;

import dev.chatterbox.report.tables.Table;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.results.Environment;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The results of a run, and where it ran.
 *
 * @param command the command line as a person typed it
 * @param started the time of the start, by this machine's clock
 */
public record ScenarioResults(
        String command, LocalDateTime started, Environment environment, List<CaseResult> measured) {

    /** Whether something was measured, and all criteria were met. */
    public boolean allMet() {
        return !measured.isEmpty() && measured.stream().allMatch(CaseResult::met);
    }

    /** The results in one sentence. */
    public String summary() {
        return "%d cases, %d of which missed a criterion."
                .formatted(
                        measured.size(),
                        measured.stream().filter(result -> !result.met()).count());
    }

    /** The environment of the run, its tables in Markdown, and the cases that could not be carried out. */
    public String markdown() {
        StringBuilder text = new StringBuilder("`%s`, %s: %s cores, %s, JDK %s, commit %s. %s\n"
                .formatted(
                        command,
                        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").format(started),
                        environment.text("/machine/cores").orElse("unknown"),
                        environment.text("/machine/cpu").orElse("unknown"),
                        environment.text("/java/version").orElse("unknown"),
                        environment.text("/git/revision").orElse("unknown"),
                        summary()));
        measured.stream()
                .flatMap(result -> result.tables().keySet().stream())
                .distinct()
                .forEach(title -> text.append('\n').append(TableText.markdown(table(title))));
        measured.stream()
                .filter(result -> result.tables().isEmpty())
                .forEach(result ->
                        text.append("\n%s, %s: %s\n".formatted(result.variant(), result.name(), result.verdict())));
        return text.toString();
    }

    /** A line of a table. What is said of a whole case is in the first of its lines. */
    private record Line(CaseResult result, Figures figures) {

        String once(String title, String text) {
            return result.table(title).get(0) == figures ? text : "";
        }
    }

    private Table table(String title) {
        List<Line> lines = measured.stream()
                .sorted(Comparator.comparing(CaseResult::variant))
                .flatMap(result -> result.table(title).stream().map(figures -> new Line(result, figures)))
                .toList();
        Table.Description<Line> table = Table.<Line>of(title)
                .caveats(line -> List.of())
                .variant(line -> line.result().variant())
                .text("case", line -> line.once(title, line.result().name()));
        Stream<String> names =
                lines.stream().flatMap(line -> line.figures().names().stream()).distinct();
        names.forEach(name -> {
            if (lines.stream().allMatch(line -> line.figures().isNumber(name))) {
                table.numbers(name, line -> line.figures().text(name));
            } else {
                table.text(name, line -> line.figures().text(name));
            }
        });
        return table.text("verdict", line -> line.once(title, line.result().verdict()))
                .table(lines, line -> !line.result().met(), List.of());
    }
}
