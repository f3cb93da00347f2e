package dev.chatterbox.connection;

import java.util.function.IntPredicate;

/** The turns of targets among which calls are divided. */
public final class Turns {

    private Turns() {}

    /**
     * The target whose turn it is, or the first after it that is ready; itself where none is.
     *
     * @param targets how many there are, 1 or more
     * @param ready is not asked where there is only one target
     */
    public static int next(long turn, int targets, IntPredicate ready) {
        int first = targets == 1 ? 0 : Math.floorMod(turn, targets);
        for (int i = 0; targets > 1 && i < targets; i++) {
            int next = (first + i) % targets;
            if (ready.test(next)) {
                return next;
            }
        }
        return first;
    }
}
