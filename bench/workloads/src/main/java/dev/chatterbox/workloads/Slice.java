package dev.chatterbox.workloads;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A piece of work from idle to idle, for the load generator or for a bare client: requests over one row, by the users
 * or at the rate that its workload names. For a bare client a request is one call, and its users are the calls in
 * flight.
 *
 * @param id names it in the answer; letters, digits and punctuation without spaces
 * @param row whose path is called; small letters, digits, '-' and '_'
 * @param workload closed, or open at a rate: a share of a capacity must be a rate by now
 * @param requests so many are made; 0 if the time alone bounds the slice
 * @param seconds no request begins later than that; 0 if the number of requests alone bounds the slice
 */
public record Slice(String id, String row, Workload workload, long requests, double seconds) {

    static final String VERB = "slice";

    private static final int MAX_USERS = 10_000;
    private static final double MAX_RATE = 100_000;

    public Slice {
        Workload.require(!id.isBlank(), "a slice needs an id");
        Workload.require(
                row.matches("[a-z0-9][a-z0-9_-]*"),
                "transport must be a name of small letters, digits and '-'; it is '%s'",
                row);
        Load load = workload.load();
        Workload.require(
                load instanceof Load.Users users && users.count() <= MAX_USERS
                        || load instanceof Load.Rate rate && rate.perSecond() <= MAX_RATE,
                "a slice has at most %s users or %.0f requests per second, and no share of a capacity; it is '%s'",
                MAX_USERS,
                MAX_RATE,
                workload);
        Workload.require(requests >= 0 && requests <= 1_000_000_000, "requests must be 0 to 10^9; it is %s", requests);
        Workload.require(
                seconds >= 0 && seconds <= 86_400, "the seconds of a slice must be 0 to 86400; it is %s", seconds);
        Workload.require(requests > 0 || seconds > 0, "a slice needs a number of requests or of seconds");
    }

    /** In a line, for {@link #parse}. */
    String line() {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("id", id);
        members.put("row", row);
        members.put("workload", workload.toString());
        members.put("requests", Long.toString(requests));
        members.put("seconds", Double.toString(seconds));
        return Line.of(VERB, members);
    }

    /** @throws WorkloadException the line is no slice's */
    static Slice parse(String line) {
        Line of = Line.parse(line, VERB);
        return new Slice(
                of.text("id"),
                of.text("row"),
                Workload.parse(of.text("workload")),
                of.whole("requests"),
                of.number("seconds"));
    }
}
