package dev.chatterbox.report;

import dev.chatterbox.results.Environment.RowSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What report.jte shows: the answer first, then charts, then everything that one needs to doubt them.
 *
 * @param meta which run it is, in one line
 * @param invalid "1 of 9 cells is"; empty if all are valid
 * @param answerTable null where there is no answer
 * @param tuning empty unless a transport was measured in several rows
 * @param prediction null unless the run is fit to predict from
 * @param limits what the numbers do not say
 */
record ReportPage(
        Palette palette,
        String title,
        String question,
        String meta,
        boolean interrupted,
        String invalid,
        List<Sentence> answer,
        @Nullable AnswerTable answerTable,
        List<ChartSection> charts,
        Table tuning,
        @Nullable PredictionSection prediction,
        List<Sentence> limits,
        Validity validity,
        String cells,
        Table everyFigure,
        String command,
        EnvironmentFacts environment,
        List<GatlingPage> gatling) {

    static ReportPage of(MeasuredRun run) {
        Palette palette = Palette.of(run.knownRows());
        AnswerSentences answer = new AnswerSentences(run);
        return new ReportPage(
                palette,
                "%s, %s".formatted(run.name(), run.started()),
                question(run.rows()),
                meta(run),
                run.results().interrupted(),
                invalid(run),
                answer.sentences(),
                answer.headline().map(headline -> AnswerTable.of(run, headline)).orElse(null),
                new ChartSections(run, palette).all(),
                TuningTable.of(run),
                PredictionSection.of(run, palette).orElse(null),
                limits(run),
                Validity.of(run),
                Numbers.counted(run.results().cells().size(), "cell"),
                EveryFigure.of(run),
                run.command(),
                EnvironmentFacts.of(run.results().environment()),
                GatlingPage.of(run.results().gatlingReports()));
    }

    private static String question(List<String> rows) {
        int last = rows.size() - 1;
        String over = last < 0
                ? "each transport"
                : last == 0 ? rows.get(0) : String.join(", ", rows.subList(0, last)) + " or " + rows.get(last);
        return "What does a backend call cost over " + over + "?";
    }

    private static String meta(MeasuredRun run) {
        return Stream.of(
                        run.name(),
                        run.started(),
                        run.results().took().map(ReportPage::readable).orElse(""),
                        machine(run),
                        run.revision().isEmpty() ? "" : "git " + run.revision())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" · "));
    }

    private static String machine(MeasuredRun run) {
        String cpu = run.results().environment().machine().cpu();
        return Stream.of(run.cores(), Optional.ofNullable(cpu))
                .flatMap(Optional::stream)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" of "));
    }

    private static String readable(Duration duration) {
        return duration.toMinutes() > 0
                ? "%d min %02d s".formatted(duration.toMinutes(), duration.toSecondsPart())
                : "%d s".formatted(duration.toSeconds());
    }

    private static String invalid(MeasuredRun run) {
        int invalid = run.invalidCells().size();
        return invalid == 0
                ? ""
                : "%d of %s %s"
                        .formatted(
                                invalid,
                                Numbers.counted(run.results().cells().size(), "cell"),
                                invalid == 1 ? "is" : "are");
    }

    private static List<Sentence> limits(MeasuredRun run) {
        List<Sentence> limits = new ArrayList<>();
        limits.add(Sentence.text(
                run.results().roundTrips().isEmpty()
                        ? "Everything ran on one machine, over loopback: there is no network latency, which favours"
                                + " many small calls, and a real network would add the same to every transport or more to some."
                        : "The distance between the processes is a delay that a proxy on the same machine puts in, always"
                                + " the same: it does not vary, nothing is lost, and there is room for everything at once. A"
                                + " message through a broker has two links to pass, to the broker and from there."));
        limits.add(Sentence.of(
                "Load generator, services and brokers shared {}: throughput says how cheap a call is altogether more than"
                        + " how fast a transport could be alone. Another machine gives other figures; ratios travel better"
                        + " than absolute values.",
                run.cores().orElse("its cores")));
        limits.add(
                Sentence.text("A square costs nothing to compute, and the messages are a few bytes: with real work and"
                        + " real payloads the differences between transports shrink."));
        delivery(run).ifPresent(limits::add);
        if (!run.closed().isEmpty()) {
            limits.add(Sentence.text(
                    "In the closed model each user waits for the answer before asking again, so its latency"
                            + " is users divided by throughput (Little's law): that of a system with all of its users waiting, not"
                            + " what a user feels at an ordinary load."
                            + (run.open().isEmpty()
                                    ? " This run has no open cells, which would show that."
                                    : " The open cells show that.")));
        }
        return limits;
    }

    /** Empty unless the rows promise different things. */
    static Optional<Sentence> delivery(MeasuredRun run) {
        Map<String, List<String>> byPromise = new LinkedHashMap<>();
        for (String row : run.rows()) {
            RowSettings settings = run.results().environment().settings().rows().get(row);
            Object promise = settings == null ? null : settings.settings().get("delivery");
            if (promise != null) {
                byPromise
                        .computeIfAbsent(promise.toString(), p -> new ArrayList<>())
                        .add(row);
            }
        }
        if (byPromise.size() < 2) {
            return Optional.empty();
        }
        List<Sentence> promises = byPromise.entrySet().stream()
                .map(entry -> Sentence.of("{}: {}", Sentence.rows(entry.getValue()), entry.getKey()))
                .toList();
        return Optional.of(Sentence.of(
                "The rows do not promise the same. {}. Who promises less has less to do.",
                Sentence.joined("; ", promises)));
    }
}
