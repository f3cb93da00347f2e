package dev.chatterbox.resilience;

import dev.chatterbox.resilience.BacklogResult.Growth;
import dev.chatterbox.resilience.BacklogResult.Phase;
import dev.chatterbox.resilience.BacklogResult.Sample;
import dev.chatterbox.rows.Row;
import dev.chatterbox.workloads.MessageCounts;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Backlogs as text: a line for the terminal, and tables in Markdown for a page. */
public final class BacklogTables {

    private static final String PHASES = """
            | row | messages/s | memory limit | phase | seconds | published/s | p99 of acknowledgements | received/s | waiting at its end |
            |---|--:|--:|---|--:|--:|--:|--:|--:|
            """;

    private static final String BROKERS = """
            | row | messages/s | memory limit | memory before | most | disk before | most | disk a waiting message | unknown | missing | lost | doubled | |
            |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|
            """;

    private BacklogTables() {}

    static BacklogResult result(
            Row row,
            int rate,
            @Nullable Long memoryLimit,
            int messages,
            MessageCounts counts,
            Backlog backlog,
            Sample before,
            List<Sample> samples,
            List<String> missed) {
        return new BacklogResult(
                row.name(),
                rate,
                memoryLimit,
                false,
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

    static String line(BacklogResult one) {
        return "%s %-12s %,d/s%s: %s; memory +%s, disk +%s%s"
                .formatted(
                        one.met() ? "✓" : "✗",
                        one.row(),
                        one.rate(),
                        one.memoryLimit() == null ? "" : " in " + megabytes(one.memoryLimit()),
                        one.phases().stream()
                                .map(phase -> "%s %.1f s, %,.0f/s in, %,.0f/s out, %,d waiting"
                                        .formatted(
                                                phase.name(),
                                                phase.seconds(),
                                                phase.publishedPerSecond(),
                                                phase.receivedPerSecond(),
                                                phase.waiting()))
                                .collect(Collectors.joining("; ")),
                        megabytes(one.memory().most() - one.memory().before()),
                        megabytes(one.disk().most() - one.disk().before()),
                        told(one).map(what -> "; " + what).orElse(""));
    }

    private static Optional<String> told(BacklogResult one) {
        String missed = String.join("; ", one.missed());
        if (one.brokerEnded()) {
            return Optional.of("the system ended the broker, for this memory was not enough; not judged: " + missed);
        }
        return one.met() ? Optional.empty() : Optional.of("MISSED: " + missed);
    }

    /** The drawings of all results, by the names of their files, which {@link #markdown} shows. */
    public static Map<String, String> pictures(BacklogResults results) {
        Map<String, String> pictures = new LinkedHashMap<>();
        results.measured().forEach(one -> pictures.put(picture(one), BacklogPicture.svg(one)));
        return pictures;
    }

    private static String picture(BacklogResult one) {
        return "backlog-%s-%d%s.svg".formatted(one.row(), one.rate(), one.memoryLimit() == null ? "" : "-limited");
    }

    /** All results, for a page. */
    public static String markdown(BacklogResults results) {
        StringBuilder text = new StringBuilder();
        text.append("## Backlogs: %s\n\n".formatted(results.command()));
        text.append("%s, git %s. %s\n\n"
                .formatted(
                        results.started().format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm")),
                        results.environment().git().revision(),
                        results.summary()));
        text.append(PHASES);
        for (BacklogResult one : results.measured()) {
            for (Phase phase : one.phases()) {
                text.append("| %s | %,d | %s | %s | %.1f | %,.0f | %s | %,.0f | %,d |\n"
                        .formatted(
                                one.row(),
                                one.rate(),
                                limit(one),
                                phase.name(),
                                phase.seconds(),
                                phase.publishedPerSecond(),
                                phase.p99Millis() == null ? "" : "%.1f ms".formatted(phase.p99Millis()),
                                phase.receivedPerSecond(),
                                phase.waiting()));
            }
        }
        text.append("\n").append(BROKERS);
        for (BacklogResult one : results.measured()) {
            text.append("| %s | %,d | %s | %s | %s | %s | %s | %s | %,d | %s | %s | %s | %s |\n"
                    .formatted(
                            one.row(),
                            one.rate(),
                            limit(one),
                            megabytes(one.memory().before()),
                            megabytes(one.memory().most()),
                            megabytes(one.disk().before()),
                            megabytes(one.disk().most()),
                            one.diskOfMessage() == null ? "" : "%,.0f B".formatted(one.diskOfMessage()),
                            one.counts().unknown(),
                            ResilienceTables.known(one.counts().missing()),
                            ResilienceTables.known(one.counts().lost()),
                            ResilienceTables.known(one.counts().doubled()),
                            told(one).orElse("✓")));
        }
        text.append("\n");
        for (BacklogResult one : results.measured()) {
            text.append("![%s, %,d messages/s](%s)\n".formatted(one.row(), one.rate(), picture(one)));
        }
        return text.toString();
    }

    private static String limit(BacklogResult one) {
        return one.memoryLimit() == null ? "" : megabytes(one.memoryLimit());
    }

    private static String megabytes(long bytes) {
        return "%,d MB".formatted(bytes >> 20);
    }
}
