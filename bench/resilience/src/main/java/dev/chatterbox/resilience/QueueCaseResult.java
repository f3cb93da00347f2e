package dev.chatterbox.resilience;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of the messages of one run of a queue during which something broke; docs/api.md explains the counts.
 *
 * @param run which of the repetitions it is, from 1
 * @param messages how many were to be published
 * @param seconds from the request to its answer
 * @param consumed null where a consumer died with its count; the three after it are then null too
 * @param missed sentences about the criteria that were not met; empty if all were met
 */
record QueueCaseResult(
        String row,
        String name,
        String what,
        int run,
        int messages,
        double seconds,
        String ended,
        long published,
        long acknowledged,
        long refused,
        long unknown,
        @Nullable Long consumed,
        @Nullable Long missing,
        @Nullable Long lost,
        @Nullable Long doubled,
        List<String> missed) {

    /** A run that could not be made, or of which nothing is known. */
    static QueueCaseResult failed(String row, QueueCase one, int run, int messages, String why) {
        return new QueueCaseResult(
                row, one.title, one.what, run, messages, 0, "failed", 0, 0, 0, 0, null, null, null, null, List.of(why));
    }

    boolean met() {
        return missed.isEmpty();
    }
}
