package dev.chatterbox.resilience;

import java.util.Map;

/**
 * What became of the requests to one row.
 *
 * @param right answered with every square right, to the byte
 * @param wrong answered with status 200 and anything else
 * @param errors by kind: a status, or what became of the connection
 * @param reasons errors by kind and reason, with # for each number
 * @param longestRight from the request to its answer, in seconds
 * @param longestError likewise
 */
record RequestCounts(
        long right,
        long wrong,
        Map<String, Long> errors,
        Map<String, Long> reasons,
        double longestRight,
        double longestError) {

    long failed() {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }
}
