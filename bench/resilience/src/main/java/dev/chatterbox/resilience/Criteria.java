package dev.chatterbox.resilience;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What must hold of each case; docs/resilience.md lists it. */
final class Criteria {

    /** From the return of what was broken, in seconds. */
    private static final double LONGEST_RECOVERY = 10;

    /**
     * What the heap may hold more after a case. Ten thousand requests that were never let go, with a call each, would
     * hold more; histograms, caches and code of paths that were never taken before hold less.
     */
    private static final double MORE_MEGABYTES = 12;

    /** Of pools that keep a thread for a minute, and of compilers that come and go. */
    private static final long MORE_THREADS = 10;

    /** Of connections that a client's library keeps until it has no use for them. */
    private static final long MORE_FILES = 20;

    private Criteria() {}

    /**
     * The criteria that the requests of a case miss, as sentences; none where all is as it should be.
     *
     * @param others the requests to the row beside it
     * @param recovery in seconds; null where the row did not get well
     * @param longestError that is right, in seconds
     * @param aggregatorAway whether connections could be refused, and end without an answer
     * @param othersFeel whether the row beside it was to feel the case, too
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
            missed.add("not well again");
        } else if (recovery > LONGEST_RECOVERY) {
            missed.add("well again only after %.1f s".formatted(recovery));
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

    private static boolean saysWhy(String kind, boolean aggregatorAway) {
        return switch (kind) {
            case "502", "503", "504" -> true;
            case VerifiedLoad.REFUSED, VerifiedLoad.ENDED -> aggregatorAway;
            default -> false;
        };
    }

    /** What the processes hold more than they may, as sentences. */
    static List<String> grown(Footprint before, Footprint after) {
        List<String> grown = new ArrayList<>();
        after.processes().forEach((process, now) -> {
            Footprint.OfProcess then = before.processes().getOrDefault(process, now);
            if (now.megabytes() > then.megabytes() + MORE_MEGABYTES) {
                grown.add("%s holds %.0f MB more".formatted(process, now.megabytes() - then.megabytes()));
            }
            if (now.threads() > then.threads() + MORE_THREADS) {
                grown.add("%s has %d threads more".formatted(process, now.threads() - then.threads()));
            }
            if (now.files() > then.files() + MORE_FILES) {
                grown.add("%s has %d connections and files more".formatted(process, now.files() - then.files()));
            }
        });
        if (after.callsInFlight() != 0) {
            grown.add("%d calls are in flight still".formatted(after.callsInFlight()));
        }
        return grown;
    }
}
