package dev.chatterbox.resilience;

import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.resilience.load.VerifiedLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
     * @param others the requests to the row beside it
     * @param recovery in seconds; null if the row did not recover
     * @param longestError the longest time in seconds after which an error may come
     * @param aggregatorAway whether connections may be refused, and may end without an answer
     * @param othersFeel whether the case also affects the row beside the tested one
     */
    static List<String> missed(
            RequestCounts requests,
            Optional<RequestCounts> others,
            @Nullable Double recovery,
            double longestError,
            boolean aggregatorAway,
            boolean othersFeel) {
        List<String> missed = new ArrayList<>();
        if (requests.wrong() > 0) {
            missed.add("%d wrong answers".formatted(requests.wrong()));
        }
        if (requests.longestError() > longestError) {
            missed.add("an error after %.1f s".formatted(requests.longestError()));
        }
        requests.errors().keySet().stream()
                .filter(kind -> !saysWhy(kind, aggregatorAway))
                .forEach(kind -> missed.add("errors that do not say why: " + kind));
        if (recovery == null) {
            missed.add("not recovered");
        } else if (recovery > LONGEST_RECOVERY) {
            missed.add("recovered only after %.1f s".formatted(recovery));
        }
        others.ifPresent(beside -> {
            if (beside.wrong() > 0) {
                missed.add("%d wrong answers of the row beside it".formatted(beside.wrong()));
            }
            if (beside.failed() > 0 && !othersFeel) {
                missed.add("%d errors of the row beside it".formatted(beside.failed()));
            }
        });
        return missed;
    }

    /**
     * Sentences about the criteria that a case with nodes away misses; empty if it meets all.
     *
     * @param longestError as in the other method
     */
    static List<String> missed(NodeCase one, List<CaseResult.Phase> phases, double longestError) {
        List<String> missed = new ArrayList<>();
        for (CaseResult.Phase phase : phases) {
            boolean before = phase == phases.get(0);
            boolean twoAway = one.victims() == NodeCase.Victims.TWO && phase == phases.get(1);
            boolean judged = one.way() != NodeCase.Way.FROZEN && !twoAway;
            if (before && phase.answers().failed() > 0) {
                missed.add("%d errors before".formatted(phase.answers().failed()));
            }
            @Nullable Double recovery = judged && !before ? phase.rightAgain() : Double.valueOf(0);
            missed(phase.answers(), Optional.empty(), recovery, longestError, false, false)
                    .forEach(what -> missed.add("%s: %s".formatted(phase.name(), what)));
        }
        return missed;
    }

    private static boolean saysWhy(String kind, boolean aggregatorAway) {
        return switch (kind) {
            case "502", "503", "504" -> true;
            case VerifiedLoad.REFUSED, VerifiedLoad.ENDED -> aggregatorAway;
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
            grown.add("%d calls are in flight still".formatted(after.callsInFlight()));
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
