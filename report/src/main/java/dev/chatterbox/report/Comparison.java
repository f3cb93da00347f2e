package dev.chatterbox.report;

import dev.chatterbox.report.Difference.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Two runs. B is judged by A. */
record Comparison(Results a, Results b) {

    static final List<Metric> METRICS = List.of(Metric.CALLS, Metric.CPU, Metric.REQUEST_P99);

    /** More than so many of 100 comparisons are not chance; Noise gives 2 to 3. */
    private static final double CHANCE = 0.05;

    /** With fewer comparisons, one alone is worth a sentence. */
    private static final int MANY = 20;

    /** Load at the start of the machine, as `uptime` has it: less than that is nothing. */
    private static final double IDLE = 0.5;

    private static final int LISTED = 6;

    record Pair(Cell a, Cell b) {}

    /** A setting, version or fact of the environment that differs. Empty where one has none. */
    record Change(String name, String a, String b) {

        /** "able.flush" for settings.transports.able.settings.flush */
        String shortName() {
            return name.replaceFirst("^settings\\.transports\\.([^.]+)\\.settings\\.", "$1.");
        }
    }

    List<Pair> pairs() {
        return a.cells().stream()
                .sorted(Comparator.comparing(Cell::transport).thenComparing(Cell::load))
                .flatMap(cell -> b.cell(cell.transport(), cell.load()).map(other -> new Pair(cell, other)).stream())
                .toList();
    }

    List<Cell> onlyInA() {
        return only(a, b);
    }

    List<Cell> onlyInB() {
        return only(b, a);
    }

    private static List<Cell> only(Results in, Results notIn) {
        return in.cells().stream()
                .filter(cell -> notIn.cell(cell.transport(), cell.load()).isEmpty())
                .sorted(Comparator.comparing(Cell::transport).thenComparing(Cell::load))
                .toList();
    }

    /** Each by name, or of many the numbers by transport. */
    static String brief(List<Cell> cells) {
        if (cells.size() <= LISTED) {
            return cells.stream()
                    .map(cell -> cell.transport() + " at " + cell.load().brief())
                    .collect(Collectors.joining("; "));
        }
        return cells.stream()
                .collect(Collectors.groupingBy(Cell::transport, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(entry -> Format.counted(entry.getValue(), "cell") + " of " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    List<Difference> differences() {
        return METRICS.stream()
                .flatMap(metric -> pairs().stream().map(pair -> Difference.of(metric, pair.a(), pair.b())))
                .toList();
    }

    List<Change> changes() {
        Map<String, String> before = Json.leaves(a.json().at("/environment"));
        Map<String, String> after = Json.leaves(b.json().at("/environment"));
        before.put("command", Json.text(a.json(), "/command"));
        after.put("command", Json.text(b.json(), "/command"));
        Set<String> names = new LinkedHashSet<>(before.keySet());
        names.addAll(after.keySet());
        return names.stream()
                .map(name -> new Change(name, before.getOrDefault(name, ""), after.getOrDefault(name, "")))
                .filter(change -> !change.a().equals(change.b()) && !isIdle(change))
                .toList();
    }

    private static boolean isIdle(Change change) {
        if (!change.name().equals("machine.loadAverageAtStart")
                || change.a().isEmpty()
                || change.b().isEmpty()) {
            return false;
        }
        return Math.abs(Double.parseDouble(change.a()) - Double.parseDouble(change.b())) < IDLE;
    }

    /** In plain sentences; the first is the one to remember. */
    List<String> conclusion() {
        List<Difference> all = differences();
        if (pairs().isEmpty()) {
            return List.of("A and B have no cell in common, so there is nothing to compare.");
        }
        List<Difference> judged = all.stream()
                .filter(difference -> difference.verdict().counts() || difference.verdict() == Verdict.SAME)
                .toList();
        List<Difference> larger =
                all.stream().filter(difference -> difference.verdict().counts()).toList();
        List<String> sentences = new ArrayList<>();
        if (judged.isEmpty()) {
            sentences.add("Nothing can be judged: that needs cells that are valid in both, with %d rounds or more."
                    .formatted(Noise.LEAST_ROUNDS));
        } else if (larger.isEmpty()) {
            sentences.add("A and B are equal within the noise: none of %s is larger."
                    .formatted(Format.counted(judged.size(), "difference")));
        } else if (judged.size() >= MANY && larger.size() <= CHANCE * judged.size()) {
            sentences.add("A and B are equal within the noise but for %d of %s, and so few can be chance: %s."
                    .formatted(
                            larger.size(),
                            Format.counted(judged.size(), "difference"),
                            larger.stream().map(Comparison::single).collect(Collectors.joining("; "))));
        } else {
            sentences.add(summary(judged));
            transports().forEach(transport -> details(transport, judged).ifPresent(sentences::add));
        }
        long unknown = all.stream()
                .filter(difference -> difference.verdict() == Verdict.UNKNOWN)
                .count();
        if (unknown > 0 && !judged.isEmpty()) {
            sentences.add("%s not judged: fewer than %d rounds."
                    .formatted(
                            unknown == 1 ? "1 difference is" : Format.counted(unknown, "difference") + " are",
                            Noise.LEAST_ROUNDS));
        }
        return sentences;
    }

    List<String> transports() {
        return pairs().stream().map(pair -> pair.a().transport()).distinct().toList();
    }

    private static String single(Difference difference) {
        return "%s of %s at %s is %s times A's"
                .formatted(
                        difference.metric().title(),
                        difference.transport(),
                        difference.load().brief(),
                        Format.ratio(difference.ratio()));
    }

    private String summary(List<Difference> judged) {
        List<String> better = new ArrayList<>();
        List<String> worse = new ArrayList<>();
        List<String> mixed = new ArrayList<>();
        List<String> same = new ArrayList<>();
        for (String transport : transports()) {
            Set<Verdict> verdicts = judged.stream()
                    .filter(difference -> difference.transport().equals(transport))
                    .map(Difference::verdict)
                    .collect(Collectors.toSet());
            if (verdicts.contains(Verdict.BETTER) && verdicts.contains(Verdict.WORSE)) {
                mixed.add(transport);
            } else if (verdicts.contains(Verdict.BETTER)) {
                better.add(transport);
            } else if (verdicts.contains(Verdict.WORSE)) {
                worse.add(transport);
            } else if (!verdicts.isEmpty()) {
                same.add(transport);
            }
        }
        return Stream.of(
                        better.isEmpty() ? "" : "B is better than A over " + Format.list(better),
                        worse.isEmpty() ? "" : "B is worse than A over " + Format.list(worse),
                        mixed.isEmpty() ? "" : "B is better here and worse there over " + Format.list(mixed),
                        same.isEmpty()
                                ? ""
                                : Format.list(same) + (same.size() == 1 ? " is" : " are") + " equal within the noise")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; ", "", "."));
    }

    /** By how much, over one transport. */
    private Optional<String> details(String transport, List<Difference> judged) {
        List<String> parts = new ArrayList<>();
        List<String> places = new ArrayList<>();
        for (Metric metric : METRICS) {
            List<Difference> own = judged.stream()
                    .filter(difference -> difference.transport().equals(transport) && difference.metric() == metric)
                    .toList();
            for (Verdict verdict : List.of(Verdict.BETTER, Verdict.WORSE)) {
                List<Difference> such = own.stream()
                        .filter(difference -> difference.verdict() == verdict)
                        .toList();
                if (!such.isEmpty()) {
                    parts.add(words(metric).formatted(range(such)));
                    places.add(
                            such.size() < own.size()
                                    ? " at %d of %d loads".formatted(such.size(), own.size())
                                    : own.size() == 1 ? "" : " at all %d loads".formatted(own.size()));
                }
            }
        }
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        boolean samePlace = places.stream().distinct().count() == 1;
        List<String> said = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            said.add(samePlace ? parts.get(i) : parts.get(i) + places.get(i));
        }
        return Optional.of("Over %s%s B %s.".formatted(transport, samePlace ? places.get(0) : "", Format.list(said)));
    }

    private static String words(Metric metric) {
        return switch (metric) {
            case CALLS, REQUESTS -> "makes %s times the calls/s";
            case CPU -> "needs %s times the CPU per call";
            case REQUEST_P99, CALL_P99 -> "takes %s times as long at p99";
        };
    }

    private static String range(List<Difference> differences) {
        String least = Format.ratio(
                differences.stream().mapToDouble(Difference::ratio).min().orElseThrow());
        String most = Format.ratio(
                differences.stream().mapToDouble(Difference::ratio).max().orElseThrow());
        return least.equals(most) ? least : least + " to " + most;
    }

    /** What makes two runs no pair. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        warn(warnings, "A", a);
        warn(warnings, "B", b);
        pairs().stream()
                .filter(pair ->
                        Math.abs(pair.b().arrivals() / pair.a().arrivals() - 1) > Metric.CALLS.floorBetweenRuns())
                .findFirst()
                .ifPresent(pair -> warnings.add(("In the open model each run took shares of its own capacity, and these"
                                + " differ: %s at %s had %s/s in A and %s/s in B.")
                        .formatted(
                                pair.a().transport(),
                                pair.a().load().brief(),
                                Format.rate(pair.a().arrivals()),
                                Format.rate(pair.b().arrivals()))));
        return warnings;
    }

    private static void warn(List<String> warnings, String which, Results results) {
        if (results.interrupted()) {
            warnings.add(which + " was interrupted.");
        }
        List<Cell> invalid = results.invalidCells();
        if (!invalid.isEmpty()) {
            warnings.add("%s has %s not valid and not judged: %s."
                    .formatted(
                            which,
                            invalid.size() == 1 ? "1 cell that is" : invalid.size() + " cells that are",
                            brief(invalid)));
        }
    }
}
