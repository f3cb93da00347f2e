package dev.chatterbox.resilience;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The outcome of the one-way messages of a run during which something broke.
 *
 * @param run which of the repetitions it is, from 1
 * @param messages how many were to be published
 * @param seconds from the first message until all are counted
 * @param missed sentences about the criteria that were not met; empty if all were met
 */
record QueueCaseResult(
        String row,
        String name,
        String what,
        int run,
        int messages,
        double seconds,
        @JsonUnwrapped QueueCounts counts,
        List<String> missed) {

    /** A run that could not be made, or of which nothing is known. */
    static QueueCaseResult failed(String row, QueueCase one, int run, int messages, String why) {
        return new QueueCaseResult(row, one.title, one.what, run, messages, 0, QueueCounts.FAILED, List.of(why));
    }

    boolean met() {
        return missed.isEmpty();
    }
}
