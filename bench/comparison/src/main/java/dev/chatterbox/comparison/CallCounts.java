package dev.chatterbox.comparison;

import dev.chatterbox.results.Counts;
import java.util.Map;
import java.util.TreeMap;

/** Adds up what is counted over the whole run: by the generator, the aggregator and the responders. */
final class CallCounts {

    private long requests;
    private final Map<String, Long> generator = new TreeMap<>();
    private final Map<String, Long> aggregator = new TreeMap<>();
    private final Map<String, Long> responder = new TreeMap<>();

    /** By responder: the aggregator's calls over its rows. */
    private final Map<String, Long> expected = new TreeMap<>();

    private boolean complete = true;

    /** What the generator counted of a row. */
    void add(String row, long requests, long calls) {
        this.requests += requests;
        generator.merge(row, calls, Long::sum);
    }

    /** What the services counted over the same time. */
    void add(Reading counted) {
        long calls = Math.round(counted.aggregator().calls());
        aggregator.merge(counted.aggregator().row(), calls, Long::sum);
        ResponderReading squares = counted.responder();
        if (squares != null) {
            responder.merge(squares.responder(), Math.round(squares.squares()), Long::sum);
            expected.merge(squares.responder(), calls, Long::sum);
        }
    }

    /** The generator failed or a service could not be asked, so nobody knows all the calls. */
    void incomplete() {
        complete = false;
    }

    Counts counts() {
        boolean agree = complete && generator.equals(aggregator) && expected.equals(responder);
        return new Counts(requests, generator, aggregator, responder, agree);
    }
}
