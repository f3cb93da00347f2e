package dev.chatterbox.resilience;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of one case on one row.
 *
 * @param what was done, in a few words
 * @param seconds that it took in all
 * @param answers of the row
 * @param others of the row beside it; null where there was none
 * @param recovery from the part's return to the first answer since which all were right, in seconds; the longest, where
 *     there were several faults; null where the row did not get well
 * @param before what the processes held before
 * @param after what they held when all had been answered; null where they could not be asked
 * @param remarks what is worth knowing besides
 * @param missed criteria that were not met, in words; none means that it is as it should be
 */
record Measured(
        String row,
        String name,
        String what,
        double seconds,
        Answers answers,
        @Nullable Answers others,
        @Nullable Double recovery,
        Vitals before,
        @Nullable Vitals after,
        List<String> remarks,
        List<String> missed) {

    /** From the part's return. */
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

    boolean met() {
        return missed.isEmpty();
    }

    /**
     * Judges.
     *
     * @param longestError that is right, in seconds
     * @param aggregatorAway whether connections could be refused, and end without an answer
     * @param othersFeel whether the row beside was to feel it, too
     * @param missed what else was missed
     */
    static List<String> missed(
            Answers answers,
            Optional<Answers> others,
            @Nullable Double recovery,
            double longestError,
            boolean aggregatorAway,
            boolean othersFeel,
            List<String> missed) {
        List<String> all = new ArrayList<>(missed);
        if (answers.wrong() > 0) {
            all.add("%d wrong answers".formatted(answers.wrong()));
        }
        if (answers.longestError() > longestError) {
            all.add("an error after %.1f s".formatted(answers.longestError()));
        }
        answers.errors().keySet().stream()
                .filter(kind -> !isClear(kind, aggregatorAway))
                .forEach(kind -> all.add("errors that do not say why: " + kind));
        if (recovery == null) {
            all.add("not well again");
        } else if (recovery > LONGEST_RECOVERY) {
            all.add("well again only after %.1f s".formatted(recovery));
        }
        others.ifPresent(beside -> {
            if (beside.wrong() > 0) {
                all.add("%d wrong answers of the row beside it".formatted(beside.wrong()));
            }
            if (beside.failed() > 0 && !othersFeel) {
                all.add("%d errors of the row beside it".formatted(beside.failed()));
            }
        });
        return all;
    }

    private static boolean isClear(String kind, boolean aggregatorAway) {
        return switch (kind) {
            case "502", "503", "504" -> true;
            case VerifiedLoad.REFUSED, VerifiedLoad.ENDED -> aggregatorAway;
            default -> false;
        };
    }

    /** What is held more than it should be. */
    static List<String> grown(Vitals before, Vitals after) {
        List<String> grown = new ArrayList<>();
        for (Map.Entry<String, Vitals.Held> entry : after.processes().entrySet()) {
            String process = entry.getKey();
            Vitals.Held now = entry.getValue();
            Vitals.Held then = before.processes().getOrDefault(process, now);
            if (now.megabytes() > then.megabytes() + MORE_MEGABYTES) {
                grown.add("%s holds %.0f MB more".formatted(process, now.megabytes() - then.megabytes()));
            }
            if (now.threads() > then.threads() + MORE_THREADS) {
                grown.add("%s has %d threads more".formatted(process, now.threads() - then.threads()));
            }
            if (now.files() > then.files() + MORE_FILES) {
                grown.add("%s has %d connections and files more".formatted(process, now.files() - then.files()));
            }
        }
        if (after.callsInFlight() != 0) {
            grown.add("%d calls are in flight still".formatted(after.callsInFlight()));
        }
        return grown;
    }
}
