package dev.chatterbox.comparison;

import java.util.Map;
import java.util.TreeMap;

/**
 * What was counted over the whole run, warm-ups and drains included, at three places; by transport where it is a map.
 *
 * @param generatorRequests that were right
 * @param generatorCalls those requests times their calls
 * @param agree whether the last three are the same to the last call
 */
public record Counts(
        long generatorRequests,
        Map<String, Long> generatorCalls,
        Map<String, Long> aggregatorCalls,
        Map<String, Long> responderSquares,
        boolean agree) {

    /** Collects them. */
    static final class Sum {
        private long requests;
        private final Map<String, Long> generator = new TreeMap<>();
        private final Map<String, Long> aggregator = new TreeMap<>();
        private final Map<String, Long> responder = new TreeMap<>();
        private boolean complete = true;

        void add(String transport, long requests, long calls) {
            this.requests += requests;
            generator.merge(transport, calls, Long::sum);
        }

        void add(String transport, Reading counted) {
            aggregator.merge(transport, Math.round(counted.calls()), Long::sum);
            responder.merge(transport, Math.round(counted.squares()), Long::sum);
        }

        /** The generator failed or a service could not be asked, so nobody knows all the calls. */
        void incomplete() {
            complete = false;
        }

        Counts counts() {
            boolean agree = complete && generator.equals(aggregator) && aggregator.equals(responder);
            return new Counts(requests, generator, aggregator, responder, agree);
        }
    }
}
