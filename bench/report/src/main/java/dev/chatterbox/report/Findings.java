package dev.chatterbox.report;

import dev.chatterbox.report.tables.Numbers;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Ranking;
import dev.chatterbox.results.Ranking.Place;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.SliceFigures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The findings of a run in sentences: which variants are cheapest, which are ties, and which doubts there are. */
final class Findings {

    /** This text in a note stands for the names of the variants that have the note. */
    private static final String VARIANTS = "{variants}";

    /** The first thing to know of a run that was interrupted, failed or was killed. */
    static final String UNFINISHED =
            "The run did not come to its end: what it measured until then is here, and the rest is missing.";

    private Findings() {}

    /** For each workload that is in every block: the cheapest variant, and how far the others lie from it. */
    static List<String> headline(MeasuredRun run) {
        return run.headlineRankings().stream().map(Findings::headline).toList();
    }

    private static String headline(Ranking ranking) {
        String at = Axis.text(ranking.workload()) + ": ";
        List<Place> ranked = ranked(ranking);
        if (ranked.isEmpty()) {
            return at + "nothing is ranked.";
        }
        List<Place> first = ranked.stream().filter(place -> place.rank() == 1).toList();
        List<Place> others = ranked.stream().filter(place -> place.rank() > 1).toList();
        String cheapest = first.size() == 1
                ? "%s is the cheapest, with %s CPU-µs a %s."
                : "%s are a tie for the cheapest, from %s CPU-µs a %s on.";
        List<String> costs = others.stream()
                .filter(place -> place == others.get(0) || place == others.get(others.size() - 1))
                .map(place -> "%s costs %s times as much"
                        .formatted(place.variant(), Numbers.withInterval(place.toCheapest(), Numbers::ratio)))
                .toList();
        return Numbers.joined(
                " ",
                at
                        + cheapest.formatted(
                                Numbers.listed(variants(first)),
                                Numbers.withInterval(first.get(0).cost(), Numbers::digits),
                                Axis.unit(ranking.workload())),
                ranked.size() == 1 ? "No other variant is ranked." : "",
                costs.isEmpty() ? "" : Numbers.listed(costs) + ".",
                ties(others),
                seen(ranking));
    }

    private static List<String> variants(List<Place> places) {
        return places.stream().map(Place::variant).collect(Collectors.toCollection(ArrayList::new));
    }

    private static List<Place> ranked(Ranking ranking) {
        return ranking.places().stream().filter(place -> place.rank() > 0).toList();
    }

    private static String seen(Ranking ranking) {
        return Double.isFinite(ranking.smallestDifference())
                ? "The smallest difference that the run could have seen here is %s."
                        .formatted(Numbers.percent(ranking.smallestDifference()))
                : "";
    }

    /** "Ties: nats with kafka and rsocket; kafka with rsocket." */
    private static String ties(List<Place> ranked) {
        List<String> ties = new ArrayList<>();
        for (int i = 0; i < ranked.size(); i++) {
            List<String> later = variants(ranked.subList(i + 1, ranked.size()));
            later.retainAll(ranked.get(i).ties());
            if (!later.isEmpty()) {
                ties.add(ranked.get(i).variant() + " with " + Numbers.listed(later));
            }
        }
        return ties.isEmpty() ? "" : "Ties: " + String.join("; ", ties) + ".";
    }

    /** What a reader of a workload's ranking must know. */
    static List<String> notes(Ranking ranking) {
        List<String> notes = new ArrayList<>();
        List<Place> ranked = ranked(ranking);
        if (ranked.size() > 1) {
            notes.add(Numbers.joined(" ", ties(ranked), seen(ranking)));
        }
        notes.addAll(slices(
                ranking.places().stream().map(place -> List.of(place.cell())).toList()));
        return notes;
    }

    /** Says which slices of cells do not count, for a table that has their caveats. */
    static List<String> slices(Collection<List<Cell>> variants) {
        return together(variants, Findings::slices);
    }

    /**
     * A note of several variants is shown once.
     *
     * @param variants the cells of each variant
     */
    private static List<String> together(Collection<List<Cell>> variants, Function<List<Cell>, List<String>> notes) {
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (List<Cell> cells : variants) {
            Cell first = cells.get(0);
            String name = first.variant() + (first.bare() ? " (bare client)" : "");
            notes.apply(cells)
                    .forEach(note -> names.computeIfAbsent(note, none -> new ArrayList<>())
                            .add(name));
        }
        return names.entrySet().stream()
                .map(note -> note.getKey().replace(VARIANTS, Numbers.listed(note.getValue())))
                .toList();
    }

    /** Why one variant is not ranked, and which of its slices do not count, with {@link #VARIANTS} in place of its name. */
    private static List<String> notes(List<Cell> cells) {
        List<String> notes = new ArrayList<>();
        String doubts = counted(
                cells.stream().flatMap(cell -> cell.whyNotRanked().stream()), cells.size(), " of the workloads");
        if (!doubts.isEmpty()) {
            notes.add("Not ranked: %s, because %s.".formatted(VARIANTS, doubts));
        }
        notes.addAll(slices(cells));
        return notes;
    }

    private static List<String> slices(List<Cell> cells) {
        List<String> notes = new ArrayList<>();
        List<SliceFigures> slices =
                cells.stream().flatMap(cell -> cell.slices().stream()).toList();
        String reasons = counted(slices.stream().flatMap(slice -> slice.reasons().stream()), 1, " times");
        if (!reasons.isEmpty()) {
            long invalid = cells.stream().filter(cell -> !cell.valid()).count();
            String among = cells.size() == 1 ? "" : " in " + Numbers.counted(invalid, "workload");
            notes.add("%s: %d of %s out, because %s.%s"
                    .formatted(
                            VARIANTS,
                            slices.stream().filter(slice -> !slice.counts()).count(),
                            slices.size() == 1 ? "1 slice is" : slices.size() + " slices are",
                            reasons,
                            invalid == 0 ? "" : " That is more than a tenth%s, so it is not valid.".formatted(among)));
        }
        long ended = slices.stream().filter(SliceFigures::threadEnded).count();
        if (ended > 0) {
            notes.add("%s: a thread ended in %s, and its last CPU time is not in the figure."
                    .formatted(VARIANTS, Numbers.counted(ended, "slice")));
        }
        return notes;
    }

    /** "a request failed (2 times); other programs took 14 % of the processors" */
    private static String counted(Stream<String> reasons, long all, String of) {
        return reasons
                .collect(Collectors.groupingBy(reason -> reason, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(entry -> entry.getKey() + (entry.getValue() == all ? "" : " (" + entry.getValue() + of + ")"))
                .collect(Collectors.joining("; "));
    }

    /** The doubts about the run as a whole, and so about each of its figures. */
    static List<String> doubtsOfAll(Results results) {
        List<String> doubts = new ArrayList<>();
        if (results.interrupted()) {
            doubts.add(UNFINISHED);
        }
        doubts.addAll(results.doubts());
        if (!results.counts().agree() && !results.interrupted()) {
            doubts.add("The counts do not agree over the whole run.");
        }
        return doubts;
    }

    /** Which delivery the variants promise, as a sentence without its full stop; empty unless their promises differ. */
    static String promises(MeasuredRun run) {
        Map<String, String> settings = run.environment();
        Map<String, List<String>> variants = run.results().cells().stream()
                .map(Cell::variant)
                .distinct()
                .sorted()
                .filter(variant -> settings.containsKey(MeasuredRun.setting(variant, "delivery")))
                .collect(Collectors.groupingBy(
                        variant -> settings.getOrDefault(MeasuredRun.setting(variant, "delivery"), ""),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return variants.size() < 2
                ? ""
                : variants.entrySet().stream()
                        .map(promise -> Numbers.listed(promise.getValue()) + ": " + promise.getKey())
                        .collect(Collectors.joining("; "));
    }

    /** The doubts about the run, and about each variant over all its workloads. */
    static List<String> doubts(MeasuredRun run) {
        Results results = run.results();
        List<String> doubts = new ArrayList<>(doubtsOfAll(results));
        doubts.addAll(together(
                results.cells().stream()
                        .collect(Collectors.groupingBy(
                                cell -> List.of(cell.bare(), cell.variant()), LinkedHashMap::new, Collectors.toList()))
                        .values(),
                Findings::notes));
        return doubts;
    }
}
