package dev.chatterbox.resilience;

import dev.chatterbox.report.tables.Table;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.resilience.BacklogResult.Growth;
import dev.chatterbox.resilience.BacklogResult.Phase;
import dev.chatterbox.resilience.BacklogResult.Sample;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.rows.Row;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Backlogs as text: a line for the terminal, and tables in Markdown for a page. */
public final class BacklogTables {

    private BacklogTables() {}

    static BacklogResult result(
            Row row,
            int rate,
            int messages,
            QueueFigures counts,
            Backlog backlog,
            Sample before,
            List<Sample> samples,
            List<String> missed) {
        return new BacklogResult(
                row.name(),
                rate,
                messages,
                QueueCounts.of(counts, false),
                growth(before, samples, Sample::memory),
                growth(before, samples, Sample::disk),
                diskOfMessage(samples, backlog.phases()),
                backlog.phases(),
                backlog.progress(),
                List.copyOf(samples),
                missed);
    }

    private static Growth growth(Sample before, List<Sample> samples, ToLongFunction<Sample> bytes) {
        return new Growth(
                bytes.applyAsLong(before),
                Stream.concat(Stream.of(before), samples.stream())
                        .mapToLong(bytes)
                        .max()
                        .orElseThrow());
    }

    /** From the growth between two samples while nobody consumes: the first messages make files. */
    private static @Nullable Double diskOfMessage(List<Sample> samples, List<Phase> phases) {
        if (phases.isEmpty() || phases.get(0).publishedPerSecond() == 0) {
            return null;
        }
        Phase held = phases.get(0);
        List<Sample> within = samples.stream()
                .filter(sample -> sample.seconds() > held.seconds() / 4 && sample.seconds() < held.seconds())
                .toList();
        if (within.size() < 2) {
            return null;
        }
        Sample first = within.get(0);
        Sample last = within.get(within.size() - 1);
        double messages = (last.seconds() - first.seconds()) * held.publishedPerSecond();
        return last.disk() > first.disk() ? (last.disk() - first.disk()) / messages : null;
    }

    static String line(BacklogResult result) {
        return "%s %-12s %,d/s: %s; memory +%s, disk +%s%s"
                .formatted(
                        result.met() ? "✓" : "✗",
                        result.row(),
                        result.rate(),
                        result.phases().stream()
                                .map(phase -> "%s %.1f s, %,.0f/s in, %,.0f/s out, %,d waiting"
                                        .formatted(
                                                phase.name(),
                                                phase.seconds(),
                                                phase.publishedPerSecond(),
                                                phase.receivedPerSecond(),
                                                phase.waiting()))
                                .collect(Collectors.joining("; ")),
                        megabytes(result.memory().most() - result.memory().before()),
                        megabytes(result.disk().most() - result.disk().before()),
                        result.met() ? "" : "; MISSED: " + String.join("; ", result.missed()));
    }

    /** All results, for a page. */
    public static String markdown(BacklogResults results) {
        return "## Backlogs: %s\n\n%s, git %s. %s\n\n%s\n%s"
                .formatted(
                        results.command(),
                        results.started().format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm")),
                        results.environment().git().revision(),
                        results.summary(),
                        TableText.markdown(phases(results)),
                        TableText.markdown(brokers(results)));
    }

    private record PhaseOfBacklog(BacklogResult result, Phase phase) {}

    private static Table phases(BacklogResults results) {
        return Table.<PhaseOfBacklog>of("")
                .caveats(line -> List.of())
                .row(line -> line.result().row())
                .numbers("messages/s", line -> "%,d".formatted(line.result().rate()))
                .text("phase", line -> line.phase().name())
                .numbers("seconds", line -> "%.1f".formatted(line.phase().seconds()))
                .numbers("published/s", line -> "%,.0f".formatted(line.phase().publishedPerSecond()))
                .numbers("p99 of acknowledgements", line -> {
                    @Nullable Double p99 = line.phase().p99Millis();
                    return p99 == null ? "" : "%.1f ms".formatted(p99);
                })
                .numbers("received/s", line -> "%,.0f".formatted(line.phase().receivedPerSecond()))
                .numbers(
                        "waiting at its end",
                        line -> "%,d".formatted(line.phase().waiting()))
                .table(results.measured().stream()
                        .flatMap(result -> result.phases().stream().map(phase -> new PhaseOfBacklog(result, phase)))
                        .toList());
    }

    private static Table brokers(BacklogResults results) {
        return Table.<BacklogResult>of("")
                .caveats(result -> List.of())
                .row(BacklogResult::row)
                .numbers("messages/s", result -> "%,d".formatted(result.rate()))
                .numbers("memory before", result -> megabytes(result.memory().before()))
                .numbers("most memory", result -> megabytes(result.memory().most()))
                .numbers("disk before", result -> megabytes(result.disk().before()))
                .numbers("most disk", result -> megabytes(result.disk().most()))
                .numbers("disk a waiting message", result -> {
                    @Nullable Double bytes = result.diskOfMessage();
                    return bytes == null ? "" : "%,.0f B".formatted(bytes);
                })
                .numbers("unknown", result -> "%,d".formatted(result.counts().unknown()))
                .numbers(
                        "missing",
                        result -> ResilienceTables.known(result.counts().missing()))
                .numbers(
                        "lost", result -> ResilienceTables.known(result.counts().lost()))
                .numbers(
                        "doubled",
                        result -> ResilienceTables.known(result.counts().doubled()))
                .text("verdict", result -> result.met() ? "✓" : "✗ " + String.join("; ", result.missed()))
                .table(results.measured());
    }

    private static String megabytes(long bytes) {
        return "%,d MB".formatted(bytes >> 20);
    }
}
