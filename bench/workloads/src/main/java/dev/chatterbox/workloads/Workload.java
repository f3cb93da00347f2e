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
 * message carries: {@code batch calls=1000 size=100 users=100}. A request of a queue is this many one-way messages:
 * {@code queue calls=100000 users=1 publishers=250 consumers=1 payload=256}, where all after the users have these
 * defaults; {@code topics=100} and {@code groups=10} stand before the payload if they are not 1. {@link #parseAll} also
 * takes several values for a key, {@code calls=1,100,1000}, and several such texts with semicolons between them. All
 * files and options use this form.
 *
 * @param calls backend calls per request, 1 or more: the squares that it asks for, however they travel. In a queue
 *     messages, at most 1,000,000 over all groups
 * @param payloadBytes payload of each input and each output, 0 to 131072; of all messages of a queue at most 2 GiB
 * @param distanceMillis the round-trip time put between the processes, 0 to 10000
 * @param load of a queue one user, because it has one producer, or a rate
 */
public record Workload(ExchangeShape shape, int calls, int payloadBytes, int distanceMillis, Load load)
        implements Comparable<Workload> {

    private static final String EXCHANGE = "exchange";
    private static final List<String> KEYS = List.of(
            EXCHANGE,
            "calls",
            "size",
            "users",
            "rate",
            QueueShape.PUBLISHERS,
            QueueShape.CONSUMERS,
            QueueShape.TOPICS,
            QueueShape.GROUPS,
            "payload",
            "distance");

    private static final int MAX_PAYLOAD = 131_072;
    private static final int MAX_DISTANCE = 10_000;

    private static final int TIMEOUT_SECONDS = 30;
    private static final int QUEUE_TIMEOUT_SECONDS = 600;
    private static final int MAX_QUEUE_CALLS = 1_000_000;
    private static final long MAX_QUEUE_BYTES = 2L << 30;
    private static final int QUEUE_PAYLOAD = 256;
    private static final Load QUEUE_LOAD = new Load.Users(1);

    /** The order of tables: closed before open, few calls before many. */
    private static final Comparator<Workload> ORDER = Comparator.comparing(
                    (Workload workload) -> workload.load().isOpen())
            .thenComparing(Workload::exchange)
            .thenComparing(Workload::distanceMillis)
            .thenComparing(Workload::payloadBytes)
            .thenComparing(Workload::calls)
            .thenComparing(Workload::shape)
            .thenComparing(workload -> workload.load() instanceof Load.Rate)
            .thenComparing(workload -> amount(workload.load()));

    public Workload {
        require(calls >= 1, "calls must be 1 or more, but it is %s", calls);
        require(
                payloadBytes >= 0 && payloadBytes <= MAX_PAYLOAD,
                "payload must be 0 to " + MAX_PAYLOAD + " bytes, but it is %s",
                payloadBytes);
        requireDistance(distanceMillis);
        if (shape.exchange() == Exchange.QUEUE) {
            require(
                    (long) calls * shape.queue().groups() <= MAX_QUEUE_CALLS
                            && (long) calls * payloadBytes <= MAX_QUEUE_BYTES,
                    "a queue has at most %s calls over all groups, and at most %s bytes in all payloads; it is %s calls for each of %s groups, with payload=%s",
                    MAX_QUEUE_CALLS,
                    MAX_QUEUE_BYTES,
                    calls,
                    shape.queue().groups(),
                    payloadBytes);
            require(
                    load.equals(QUEUE_LOAD) || load instanceof Load.Rate,
                    "a queue has users=1, because it has one producer, or a rate in requests per second; it is %s",
                    load);
        }
    }

    private static void requireDistance(int millis) {
        require(
                millis >= 0 && millis <= MAX_DISTANCE,
                "distance must be 0ms to " + MAX_DISTANCE + "ms, but it is %sms",
                millis);
    }

    /** Unary calls without a payload over loopback. */
    public static Workload unary(int calls, Load load) {
        return new Workload(ExchangeShape.UNARY, calls, 0, 0, load);
    }

    public Workload under(Load load) {
        return new Workload(shape, calls, payloadBytes, distanceMillis, load);
    }

    public Workload withCalls(int calls) {
        return new Workload(shape, calls, payloadBytes, distanceMillis, load);
    }

    public Workload withPayload(int bytes) {
        return new Workload(shape, calls, bytes, distanceMillis, load);
    }

    public Workload withDistance(int millis) {
        return new Workload(shape, calls, payloadBytes, millis, load);
    }

    /**
     * This workload by another exchange. One that becomes a queue gets one user, and the payload that a queue has by
     * default if it had none.
     */
    public Workload by(ExchangeShape other) {
        boolean becomesQueue = other.exchange() == Exchange.QUEUE && exchange() != Exchange.QUEUE;
        return new Workload(
                other,
                calls,
                becomesQueue && payloadBytes == 0 ? QUEUE_PAYLOAD : payloadBytes,
                distanceMillis,
                becomesQueue ? QUEUE_LOAD : load);
    }

    public Exchange exchange() {
        return shape.exchange();
    }

    /** How many calls a message carries at most. */
    public int size() {
        return shape.size();
    }

    /** How many messages a request sends: in a stream, one for each call. */
    public int messages() {
        return (calls + size() - 1) / size();
    }

    /** How many seconds a request may take before a generator gives it up. */
    public int timeoutSeconds() {
        return exchange() == Exchange.QUEUE ? QUEUE_TIMEOUT_SECONDS : TIMEOUT_SECONDS;
    }

    /** The aggregator's path for it over a row: {@code /nats/square/unary/1000}. */
    public String path(String row) {
        List<String> query = new ArrayList<>(shape.parameters());
        if (payloadBytes > 0) {
            query.add("payload=" + payloadBytes);
        }
        return "/%s/square/%s/%d".formatted(row, exchange().text(), calls)
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
        boolean queue = exchange == Exchange.QUEUE;
        return new Workload(
                new ExchangeShape(
                        exchange,
                        whole("size", values.getOrDefault("size", exchange == Exchange.BATCH ? "" : "1")),
                        queue(values, queue ? QueueShape.DEFAULT : QueueShape.NONE)),
                whole("calls", values.getOrDefault("calls", "")),
                whole("payload", values.getOrDefault("payload", String.valueOf(queue ? QUEUE_PAYLOAD : 0))),
                distanceMillis(values.getOrDefault("distance", "0ms")),
                load(values));
    }

    private static QueueShape queue(Map<String, String> values, QueueShape byDefault) {
        return new QueueShape(
                whole(QueueShape.PUBLISHERS, values, byDefault.publishers()),
                whole(QueueShape.CONSUMERS, values, byDefault.consumers()),
                whole(QueueShape.TOPICS, values, byDefault.topics()),
                whole(QueueShape.GROUPS, values, byDefault.groups()));
    }

    private static int whole(String key, Map<String, String> values, int byDefault) {
        return whole(key, values.getOrDefault(key, String.valueOf(byDefault)));
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
        boolean queue = exchange() == Exchange.QUEUE;
        String parameters = String.join(" ", shape.parameters());
        return exchange().text()
                + " calls=" + calls
                + (queue || parameters.isEmpty() ? "" : " " + parameters)
                + " " + load
                + (queue ? " " + parameters : "")
                + (payloadBytes == 0 && !queue ? "" : " payload=" + payloadBytes)
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
