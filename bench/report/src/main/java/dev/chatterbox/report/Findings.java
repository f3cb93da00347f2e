package dev.chatterbox.report;

import dev.chatterbox.report.tables.Footnotes;
import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.Ranking;
import dev.chatterbox.results.Ranking.Place;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.SliceFigures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The findings of a run in sentences: which variants are cheapest, which are ties, and which doubts there are. */
final class Findings {

    /** The first thing to know of a run that was interrupted, failed or was killed. */
    private static final String UNFINISHED =
            "The run did not come to its end: what it measured until then is here, and the rest is missing.";

    private Findings() {}

    /** For each workload that is in every block: the cheapest variant, and how far the others lie from it. */
    static List<String> headline(MeasuredRun run) {
        return run.headlineRankings().stream().map(Findings::headline).toList();
    }

    private static String headline(Ranking ranking) {
        String at = WorkloadText.of(ranking.workload()) + ": ";
        List<Place> ranked = ranked(ranking);
        if (ranked.isEmpty()) {
            return at + "nothing is ranked.";
        }
        List<Place> first = ranked.stream().filter(place -> place.rank() == 1).toList();
        List<Place> others = ranked.stream().filter(place -> place.rank() > 1).toList();
        String cheapest = first.size() == 1
                ? "%s costs least, with %s CPU-µs per %s."
                : "%s are a tie for the lowest cost, from %s CPU-µs per %s on.";
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
                                WorkloadText.unit(ranking.workload())),
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

    /** "Ties: kafka with nats and rest; nats with rest." The cheaper variant of a tie is named first. */
    private static String ties(List<Place> ranked) {
        List<String> ties = new ArrayList<>();
        for (int i = 0; i < ranked.size(); i++) {
            List<String> others = new ArrayList<>(variants(ranked.subList(i + 1, ranked.size())));
            others.retainAll(ranked.get(i).ties());
            if (!others.isEmpty()) {
                ties.add("%s with %s".formatted(ranked.get(i).variant(), Numbers.listed(others)));
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
        notes.addAll(slices(ranking.cells()));
        return notes;
    }

    /** Says which slices of cells do not count, for a table that has their caveats. */
    static List<String> slices(Collection<Cell> cells) {
        return Footnotes.merged(cells.stream().flatMap(Findings::ofSlices));
    }

    private static Stream<Caveat> ofSlices(Cell cell) {
        List<Caveat> caveats = new ArrayList<>();
        int all = cell.slices().size();
        if (cell.counted().size() < all) {
            String reasons = cell.slices().stream()
                    .flatMap(slice -> slice.reasons().stream())
                    .collect(Collectors.groupingBy(reason -> reason, TreeMap::new, Collectors.counting()))
                    .entrySet()
                    .stream()
                    .map(why -> why.getKey() + (why.getValue() == 1 ? "" : " (%d times)".formatted(why.getValue())))
                    .collect(Collectors.joining("; "));
            caveats.add(cell.caveat("%d of %s out, because %s"
                    .formatted(all - cell.counted().size(), all == 1 ? "1 slice is" : all + " slices are", reasons)));
        }
        long ended = cell.slices().stream().filter(SliceFigures::threadEnded).count();
        if (ended > 0) {
            caveats.add(cell.caveat("a thread ended in %s, and its last CPU time is not in the figure"
                    .formatted(Numbers.counted(ended, "slice"))));
        }
        return caveats.stream();
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
        results.environment()
                .text("/settings/traces")
                .filter(share -> Double.parseDouble(share) > 0)
                .ifPresent(share -> doubts.add(
                        "Of the requests, a share of %s was traced, and that costs CPU time.".formatted(share)));
        return doubts;
    }

    /** The doubts about the run, and about each variant over all its workloads. */
    static List<String> doubts(MeasuredRun run) {
        Results results = run.results();
        List<String> doubts = new ArrayList<>(doubtsOfAll(results));
        doubts.addAll(Footnotes.merged(
                results.cells().stream().flatMap(cell -> Stream.concat(cell.caveats().stream(), ofSlices(cell)))));
        return doubts;
    }
}
