package dev.chatterbox.resilience;

import dev.chatterbox.resilience.FaultCase.Trait;
import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.resilience.load.User;
import dev.chatterbox.results.QueueFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The criteria for every case; docs/resilience.md lists them. */
final class Criteria {

    /** In seconds, from the return of what was broken. */
    private static final double LONGEST_RECOVERY = 10;

    /**
     * How many megabytes the heap may grow in a case. Ten thousand requests with a call each, if they were never
     * released, would take more; histograms, caches and newly compiled code take less.
     */
    private static final double MORE_MEGABYTES = 12;

    /** Pools keep a thread for a minute, and compiler threads come and go. */
    private static final long MORE_THREADS = 10;

    /** A client library keeps a connection until it finds it useless. */
    private static final long MORE_FILES = 20;

    private Criteria() {}

    /**
     * Sentences about the criteria that the requests of a case miss; empty if they meet all.
     *
     * @param others the requests to the variant beside it; null if there were none
     * @param recovery in seconds; null if the variant did not recover
     * @param longestError the longest time in seconds after which an error may come
     */
    static List<String> missed(
            RequestCounts requests,
            @Nullable RequestCounts others,
            @Nullable Double recovery,
            double longestError,
            Set<Trait> traits) {
        List<String> missed = new ArrayList<>();
        if (requests.wrong() > 0) {
            missed.add("%d wrong answers".formatted(requests.wrong()));
        }
        if (requests.longestError() > longestError) {
            missed.add("an error after %.1f s".formatted(requests.longestError()));
        }
        requests.errors().keySet().stream()
                .filter(kind -> !saysWhy(kind, traits.contains(Trait.AGGREGATOR_AWAY)))
                .forEach(kind -> missed.add("errors that do not say why: " + kind));
        if (recovery == null) {
            missed.add("not recovered");
        } else if (recovery > LONGEST_RECOVERY) {
            missed.add("recovered only after %.1f s".formatted(recovery));
        }
        if (others != null && others.wrong() > 0) {
            missed.add("%d wrong answers of the other variant".formatted(others.wrong()));
        }
        if (others != null && others.failed() > 0 && !traits.contains(Trait.EVERY_VARIANT)) {
            missed.add("%d errors of the other variant".formatted(others.failed()));
        }
        return missed;
    }

    /**
     * Sentences about the criteria that a case with nodes away misses; empty if it meets all.
     *
     * @param longestError as in the other method
     */
    static List<String> missed(NodeCase node, List<Phase> phases, double longestError) {
        List<String> missed = new ArrayList<>();
        for (Phase phase : phases) {
            boolean before = phase == phases.get(0);
            boolean twoAway = node.victims() == NodeCase.Victims.TWO && phase == phases.get(1);
            boolean judged = node.way() != NodeCase.Way.FROZEN && !twoAway;
            if (before && phase.answers().failed() > 0) {
                missed.add("%d errors before".formatted(phase.answers().failed()));
            }
            @Nullable Double recovery = judged && !before ? phase.rightAgain() : Double.valueOf(0);
            missed(phase.answers(), null, recovery, longestError, Set.of())
                    .forEach(what -> missed.add("%s: %s".formatted(phase.name(), what)));
        }
        return missed;
    }

    /**
     * Sentences about the criteria that one-way messages miss; empty if they meet all.
     *
     * @param mayLose whether acknowledged messages may be lost
     */
    static List<String> missed(QueueFigures counts, boolean mayLose) {
        List<String> missed = new ArrayList<>();
        if (counts.lost() > 0 && !mayLose) {
            missed.add("%,d acknowledged messages are lost".formatted(counts.lost()));
        }
        if (counts.ended().containsKey(QueueFigures.WRONG_SUM)) {
            missed.add("the sum of the squares is not that of the consumed numbers");
        }
        return missed;
    }

    private static boolean saysWhy(String kind, boolean aggregatorAway) {
        return switch (kind) {
            case "502", "503", "504" -> true;
            case User.REFUSED, User.ENDED -> aggregatorAway;
            default -> false;
        };
    }

    /** Sentences about the processes that hold more than a case may add. */
    static List<String> grown(Footprint before, Footprint after) {
        List<String> grown = new ArrayList<>();
        after.processes().forEach((process, now) -> {
            Footprint.OfProcess then = before.processes().getOrDefault(process, now);
            Stream.of(
                            more("holds %s MB more", then.megabytes(), now.megabytes(), MORE_MEGABYTES),
                            more("has %s threads more", then.threads(), now.threads(), MORE_THREADS),
                            more("has %s connections and files more", then.files(), now.files(), MORE_FILES))
                    .flatMap(Optional::stream)
                    .forEach(growth -> grown.add(process + " " + growth));
        });
        if (after.callsInFlight() != 0) {
            String calls = after.callsInFlight() < 0 ? "an unknown number of" : Long.toString(after.callsInFlight());
            grown.add(calls + " calls are in flight still");
        }
        return grown;
    }

    /** A figure that is known only before the case, or only after it, can neither show a growth nor rule it out. */
    private static Optional<String> more(String held, double then, double now, double allowed) {
        if ((then < 0) != (now < 0)) {
            return Optional.of(held.formatted("an unknown number of"));
        }
        return now > then + allowed ? Optional.of(held.formatted("%.0f".formatted(now - then))) : Optional.empty();
    }
}
