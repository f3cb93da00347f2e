package dev.chatterbox.workloads;

import dev.chatterbox.proto.SliceOrder;
import java.util.stream.Stream;

/**
 * A piece of work from idle to idle, for the load generator or for a bare client: requests over one variant, by the
 * users or at the rate that its workload names. For a bare client a request is one call, and its users are the calls in
 * flight.
 *
 * @param id names it in the answer. It begins with {@link #WARM_UP} if
 *     the slice warms up
 * @param variant the variant whose path is called; small letters, digits and '-'
 * @param workload closed, or open at a rate: a share of a capacity must be a rate by now
 * @param requests how many requests are made; 0 if the time alone bounds the slice
 * @param seconds no request begins later than this; 0 if the number of requests alone bounds the slice
 * @param baseUrl the aggregator's address, or several with commas between them, which requests take in turn; empty for
 *     the one with which the process was started
 */
public record Slice(String id, String variant, Workload workload, long requests, double seconds, String baseUrl) {

    /** The most users that a slice may have. */
    public static final int MAX_USERS = 16_384;

    private static final double MAX_RATE = 100_000;

    /** The beginning of the id of a warm-up. */
    public static final String WARM_UP = "warm-up";

    public Slice {
        Workload.require(!id.isBlank(), "a slice needs an id");
        Workload.require(
                variant.matches("[a-z0-9][a-z0-9-]*"),
                "transport must be a name of small letters, digits and '-'; it is '%s'",
                variant);
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
        Workload.require(
                baseUrl.isEmpty()
                        || Stream.of(baseUrl.split(",", -1))
                                .allMatch(url -> url.matches("https?://([\\w.-]+|\\[[0-9a-fA-F:.]+])(:\\d{1,5})?")),
                "baseUrl must be an address such as http://127.0.0.1:8080, without a path; it is '%s'",
                baseUrl);
    }

    /** A slice at the address with which the process was started. */
    public Slice(String id, String variant, Workload workload, long requests, double seconds) {
        this(id, variant, workload, requests, seconds, "");
    }

    /** Whether its id says that it warms up; its requests then have a name of their own in Gatling's report. */
    public boolean isWarmUp() {
        return id.startsWith(WARM_UP);
    }

    /** How many requests are made at most. */
    public long mostRequests() {
        return requests == 0 ? Long.MAX_VALUE : requests;
    }

    /** After how many nanoseconds no request begins. */
    public long mostNanos() {
        return seconds == 0 ? Long.MAX_VALUE : Math.round(seconds * 1e9);
    }

    SliceOrder order(SliceOrder.Kind kind) {
        return SliceOrder.newBuilder()
                .setKind(kind)
                .setId(id)
                .setVariant(variant)
                .setWorkload(workload.toString())
                .setRequests(requests)
                .setSeconds(seconds)
                .setBaseUrl(baseUrl)
                .build();
    }

    /** @throws WorkloadException nobody can carry it out */
    static Slice of(SliceOrder order) {
        return new Slice(
                order.getId(),
                order.getVariant(),
                Workload.parse(order.getWorkload()),
                order.getRequests(),
                order.getSeconds(),
                order.getBaseUrl());
    }
}
