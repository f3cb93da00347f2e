package dev.chatterbox.workloads;

import dev.chatterbox.transport.Exchange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The requests and the load with which a row is measured. Two cells are comparable if their workloads are equal.
 *
 * <p>Its text form is {@code unary calls=1000 users=100}, or {@code unary calls=1000 rate=63} in the open model, or
 * {@code rate=70%} for a share of the row's own capacity, or {@code rate=50%-of-slowest} for a share of the slowest
 * row's; {@code payload=1024} (bytes) and {@code distance=1ms} follow if they are not 0. A batch says how many calls a
 * message carries: {@code batch calls=1000 size=100 users=100}. {@link #parseAll} also takes several values for a key,
 * {@code calls=1,100,1000}, and several such texts with semicolons between them. All files and options use this form.
 *
 * @param calls backend calls per request, 1 or more: the squares that it asks for, however they travel
 * @param size calls that a message carries at most: 1 to 10000 in a batch, 1 otherwise
 * @param payloadBytes payload of each input and each output, 0 to 131072
 * @param distanceMillis the round-trip time put between the processes, 0 to 10000
 */
public record Workload(Exchange exchange, int calls, int size, int payloadBytes, int distanceMillis, Load load)
        implements Comparable<Workload> {

    private static final String EXCHANGE = "exchange";
    private static final List<String> KEYS = List.of(EXCHANGE, "calls", "size", "users", "rate", "payload", "distance");

    private static final int MAX_SIZE = 10_000;
    private static final int MAX_PAYLOAD = 131_072;
    private static final int MAX_DISTANCE = 10_000;

    /** The order of tables: closed before open, few calls before many. */
    private static final Comparator<Workload> ORDER = Comparator.comparing(
                    (Workload workload) -> workload.load().isOpen())
            .thenComparing(Workload::exchange)
            .thenComparing(Workload::distanceMillis)
            .thenComparing(Workload::payloadBytes)
            .thenComparing(Workload::calls)
            .thenComparing(Workload::size)
            .thenComparing(workload -> workload.load() instanceof Load.Rate)
            .thenComparing(workload -> amount(workload.load()));

    public Workload {
        require(calls >= 1, "calls must be 1 or more, but it is %s", calls);
        require(
                size >= 1 && size <= MAX_SIZE,
                "size must be 1 to " + MAX_SIZE + " calls a message, but it is %s",
                size);
        require(
                exchange == Exchange.BATCH || size == 1,
                "size is the number of calls in a message of a batch, so %s has none",
                exchange.text());
        require(
                payloadBytes >= 0 && payloadBytes <= MAX_PAYLOAD,
                "payload must be 0 to " + MAX_PAYLOAD + " bytes, but it is %s",
                payloadBytes);
        requireDistance(distanceMillis);
    }

    private static void requireDistance(int millis) {
        require(
                millis >= 0 && millis <= MAX_DISTANCE,
                "distance must be 0ms to " + MAX_DISTANCE + "ms, but it is %sms",
                millis);
    }

    /** Unary calls without a payload over loopback. */
    public static Workload unary(int calls, Load load) {
        return new Workload(Exchange.UNARY, calls, 1, 0, 0, load);
    }

    public Workload under(Load load) {
        return new Workload(exchange, calls, size, payloadBytes, distanceMillis, load);
    }

    public Workload withCalls(int calls) {
        return new Workload(exchange, calls, size, payloadBytes, distanceMillis, load);
    }

    public Workload withPayload(int bytes) {
        return new Workload(exchange, calls, size, bytes, distanceMillis, load);
    }

    public Workload withDistance(int millis) {
        return new Workload(exchange, calls, size, payloadBytes, millis, load);
    }

    /**
     * This workload by another exchange.
     *
     * @param size calls that a message of a batch carries; 1 for another exchange
     */
    public Workload by(Exchange exchange, int size) {
        return new Workload(exchange, calls, size, payloadBytes, distanceMillis, load);
    }

    /** How many messages a request sends: in a stream, one for each call. */
    public int messages() {
        return (calls + size - 1) / size;
    }

    /** The aggregator's path for it over a row: {@code /nats/square/unary/1000}. */
    public String path(String row) {
        List<String> query = new ArrayList<>();
        if (exchange == Exchange.BATCH) {
            query.add("size=" + size);
        }
        if (payloadBytes > 0) {
            query.add("payload=" + payloadBytes);
        }
        return "/%s/square/%s/%d".formatted(row, exchange.text(), calls)
                + (query.isEmpty() ? "" : "?" + String.join("&", query));
    }

    /** Whether the two differ in nothing but their loads. */
    public boolean differsOnlyInLoadFrom(Workload other) {
        return equals(other.under(load));
    }

    public boolean isOpen() {
        return load.isOpen();
    }

    /** @throws WorkloadException the text is no workload, or several */
    public static Workload parse(String text) {
        List<Workload> all = parseAll(text);
        require(all.size() == 1, "'%s' must be one workload, but it is %s", text, all.size());
        return all.get(0);
    }

    /**
     * Reads one or several workloads in the order of the text; one that is named twice counts once.
     *
     * @throws WorkloadException the text is no workload
     */
    public static List<Workload> parseAll(String text) {
        Set<Workload> workloads = new LinkedHashSet<>();
        for (String part : text.split(";")) {
            if (!part.isBlank()) {
                workloads.addAll(product(part.strip()));
            }
        }
        require(!workloads.isEmpty(), "there is no workload in '%s'", text);
        return List.copyOf(workloads);
    }

    /** Every combination of the values of one text. */
    private static List<Workload> product(String text) {
        List<Map<String, String>> combinations = List.of(Map.of());
        Set<String> seen = new LinkedHashSet<>();
        for (String word : text.split("\\s+")) {
            int equals = word.indexOf('=');
            String key = equals < 0 ? EXCHANGE : word.substring(0, equals);
            require(KEYS.contains(key), "'%s' is not known in '%s'; known are %s", word, text, String.join(", ", KEYS));
            require(seen.add(key), "'%s' names %s twice", text, key);
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> combination : combinations) {
                for (String value : word.substring(equals + 1).split(",", -1)) {
                    Map<String, String> one = new HashMap<>(combination);
                    one.put(key, value);
                    longer.add(one);
                }
            }
            combinations = longer;
        }
        return combinations.stream().map(Workload::of).toList();
    }

    private static Workload of(Map<String, String> values) {
        Exchange exchange = exchange(values.getOrDefault(EXCHANGE, Exchange.UNARY.text()));
        return new Workload(
                exchange,
                whole("calls", values.getOrDefault("calls", "")),
                whole("size", values.getOrDefault("size", exchange == Exchange.BATCH ? "" : "1")),
                whole("payload", values.getOrDefault("payload", "0")),
                distanceMillis(values.getOrDefault("distance", "0ms")),
                load(values));
    }

    /** @throws WorkloadException there is no exchange of this name */
    public static Exchange exchange(String text) {
        return Exchange.find(text)
                .orElseThrow(() -> new WorkloadException(
                        "there is no exchange '%s'; there are %s".formatted(text, Exchange.names())));
    }

    /** @throws WorkloadException the text is no distance, {@code 5ms} or plain milliseconds, or out of range */
    public static int distanceMillis(String text) {
        int millis = whole("distance", text.strip().replaceFirst("ms$", ""));
        requireDistance(millis);
        return millis;
    }

    private static Load load(Map<String, String> values) {
        String users = values.get("users");
        String rate = values.get("rate");
        if (users != null && rate == null) {
            return new Load.Users(whole("users", users));
        }
        if (rate != null && users == null) {
            if (rate.endsWith(Load.ShareOfSlowest.SUFFIX)) {
                String share = rate.substring(0, rate.length() - Load.ShareOfSlowest.SUFFIX.length());
                return new Load.ShareOfSlowest(number("rate", share) / 100);
            }
            return rate.endsWith("%")
                    ? new Load.Share(number("rate", rate.substring(0, rate.length() - 1)) / 100)
                    : new Load.Rate(number("rate", rate));
        }
        throw new WorkloadException(
                "a workload needs either users=N (closed model) or rate=R (open model, requests per second)");
    }

    private static int whole(String key, String text) {
        require(text.matches("[0-9]{1,9}"), "%s must be a whole number, but it is '%s'", key, text);
        return Integer.parseInt(text);
    }

    private static double number(String key, String text) {
        require(text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?"), "%s must be a number, but it is '%s'", key, text);
        return Double.parseDouble(text);
    }

    @Override
    public String toString() {
        return exchange.text()
                + " calls=" + calls
                + (exchange == Exchange.BATCH ? " size=" + size : "")
                + " " + load
                + (payloadBytes == 0 ? "" : " payload=" + payloadBytes)
                + (distanceMillis == 0 ? "" : " distance=" + distanceMillis + "ms");
    }

    @Override
    public int compareTo(Workload other) {
        return ORDER.compare(this, other);
    }

    private static double amount(Load load) {
        if (load instanceof Load.Users users) {
            return users.count();
        }
        if (load instanceof Load.Rate rate) {
            return rate.perSecond();
        }
        return load instanceof Load.Share share ? share.ofCapacity() : ((Load.ShareOfSlowest) load).ofCapacity();
    }

    /** @throws WorkloadException with this message, if {@code holds} is false */
    public static void require(boolean holds, String message, Object... details) {
        if (!holds) {
            throw new WorkloadException(message.formatted(details));
        }
    }
}
