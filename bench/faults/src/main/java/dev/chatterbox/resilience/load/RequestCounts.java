package dev.chatterbox.resilience.load;

import java.util.Map;

/**
 * How the requests to one variant ended.
 *
 * @param right number of answers that were right in every byte
 * @param wrong answered with status 200 and anything else
 * @param errors counts by kind: a status, or the way in which the connection failed
 * @param reasons counts of errors by kind and reason, with # for each number
 * @param longestRight the longest time from a request to its right answer, in seconds
 * @param longestError the longest time from a request to its error, in seconds
 */
public record RequestCounts(
        long right,
        long wrong,
        Map<String, Long> errors,
        Map<String, Long> reasons,
        double longestRight,
        double longestError) {

    /** Requests that ended with an error. */
    public long failed() {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }
}
