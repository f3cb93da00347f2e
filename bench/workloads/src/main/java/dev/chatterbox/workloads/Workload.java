package dev.chatterbox.workloads;

import static dev.chatterbox.workloads.Dimension.BURN;
import static dev.chatterbox.workloads.Dimension.CALLS;
import static dev.chatterbox.workloads.Dimension.CONSUMERS;
import static dev.chatterbox.workloads.Dimension.DISTANCE;
import static dev.chatterbox.workloads.Dimension.GROUPS;
import static dev.chatterbox.workloads.Dimension.PAYLOAD;
import static dev.chatterbox.workloads.Dimension.PUBLISHERS;
import static dev.chatterbox.workloads.Dimension.SIZE;
import static dev.chatterbox.workloads.Dimension.TOPICS;
import static dev.chatterbox.workloads.Dimension.WAIT;

import dev.chatterbox.transport.CallMode;
import dev.chatterbox.transport.CallWork;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The requests and the load with which a variant is measured. Two cells are comparable if their workloads are equal.
 *
 * <p>Its text form is {@code unary calls=1000 users=100}, or {@code unary calls=1000 rate=63} in the open model, or
 * {@code rate=50%-of-slowest} for a share of the slowest variant's capacity; {@code payload=1024} (bytes), {@code work=burn:200us}, {@code work=wait:2ms} or {@code
 * work=burn:200us+wait:2ms} (of each call, besides the square) and {@code distance=1ms} follow if they are not 0. A
 * batch says how many calls a message carries: {@code batch calls=1000 size=100 users=100}. A request of a queue is
 * this many one-way messages: {@code queue calls=100000 users=1 publishers=250 consumers=1 payload=256}, where all
 * after the calls have these defaults; {@code topics=100} and {@code groups=10} stand before the payload if they are
 * not 1. {@link #parseAll} also takes several values for a key, {@code calls=1,100,1000}, and several such texts with
 * semicolons between them. All files and options use this form.
 *
 * @param numbers one for each dimension that the call mode has. The calls of a request burn 10 s together at the most.
 *     A queue has at most 1,000,000 calls over all groups, and 2 GiB in all payloads
 * @param load of a queue one user, because it has one producer, or a rate
 */
public record Workload(CallMode mode, Map<Dimension, Integer> numbers, Load load) implements Comparable<Workload> {

    private static final String CALL_MODE = "mode";
    private static final String USERS = "users";
    private static final String RATE = "rate";
    private static final String WORK = "work";
    private static final List<String> KEYS = Stream.concat(
                    Stream.of(CALL_MODE, USERS, RATE, WORK),
                    Stream.of(Dimension.values())
                            .filter(dimension -> !dimension.isWork())
                            .map(Dimension::key))
            .toList();

    private static final int TIMEOUT_SECONDS = 30;
    private static final int QUEUE_TIMEOUT_SECONDS = 600;
    private static final int MOST_MESSAGES = 1_000_000;
    private static final long MOST_BYTES = 2L << 30;
    private static final int MOST_QUEUES = 1_000;

    /** Of one program, over all groups. */
    private static final int MOST_CONSUMERS = 100;

    private static final Load QUEUE_LOAD = new Load.Users(1);

    private static final Comparator<Workload> ORDER = order();

    public Workload {
        numbers = Map.copyOf(numbers);
        for (Dimension dimension : Dimension.values()) {
            Integer number = numbers.get(dimension);
            require(
                    dimension.isOf(mode) == (number != null),
                    "%s is a number of another call mode, so %s has none",
                    dimension.key(),
                    mode.text());
            if (number != null) {
                dimension.require(number);
            }
        }
        if (mode == CallMode.QUEUE) {
            requireQueue(numbers, load);
        } else {
            String wrong =
                    CallWork.wrongTogether((long) numbers.getOrDefault(CALLS, 0) * numbers.getOrDefault(BURN, 0));
            if (wrong != null) {
                throw new WorkloadException(wrong);
            }
        }
    }

    private static void requireQueue(Map<Dimension, Integer> numbers, Load load) {
        requireProduct(numbers, TOPICS, GROUPS, MOST_QUEUES);
        requireProduct(numbers, GROUPS, CONSUMERS, MOST_CONSUMERS);
        requireProduct(numbers, CALLS, GROUPS, MOST_MESSAGES);
        requireProduct(numbers, CALLS, PAYLOAD, MOST_BYTES);
        require(
                load.equals(QUEUE_LOAD) || load instanceof Load.Rate,
                "a queue has users=1, because it has one producer, or a rate in requests per second; it is %s",
                load);
    }

    private static void requireProduct(Map<Dimension, Integer> numbers, Dimension first, Dimension second, long most) {
        long product = (long) numbers.getOrDefault(first, 0) * numbers.getOrDefault(second, 0);
        require(
                product <= most,
                "%s × %s of a queue must be at most %d, but it is %d",
                first.key(),
                second.key(),
                most,
                product);
    }

    /** Unary calls without payload and work over loopback. */
    public static Workload unary(int calls, Load load) {
        return new Workload(CallMode.UNARY, Map.of(CALLS, calls, PAYLOAD, 0, BURN, 0, WAIT, 0, DISTANCE, 0), load);
    }

    public Workload under(Load load) {
        return new Workload(mode, numbers, load);
    }

    /** @throws WorkloadException the number is out of range, or the call mode has no such dimension */
    public Workload with(Dimension dimension, int number) {
        Map<Dimension, Integer> changed = new EnumMap<>(numbers);
        changed.put(dimension, number);
        return new Workload(mode, changed, load);
    }

    /** The order of tables: closed before open, few calls before many. */
    private static Comparator<Workload> order() {
        Comparator<Workload> order = Comparator.comparing(Workload::isOpen).thenComparing(Workload::mode);
        for (Dimension dimension :
                List.of(DISTANCE, PAYLOAD, BURN, WAIT, CALLS, SIZE, PUBLISHERS, CONSUMERS, TOPICS, GROUPS)) {
            order = order.thenComparing(workload -> workload.get(dimension));
        }
        return order.thenComparing(workload -> workload.load() instanceof Load.Rate)
                .thenComparing(workload -> amount(workload.load()));
    }

    private static double amount(Load load) {
        if (load instanceof Load.Users users) {
            return users.count();
        }
        return load instanceof Load.Rate rate ? rate.perSecond() : ((Load.Share) load).ofSlowest();
    }

    /** The number of a dimension; 0 if the call mode has no such dimension. */
    public int get(Dimension dimension) {
        return numbers.getOrDefault(dimension, 0);
    }

    public int calls() {
        return get(CALLS);
    }

    public int payloadBytes() {
        return get(PAYLOAD);
    }

    public int distanceMillis() {
        return get(DISTANCE);
    }

    /** What each call asks of its responder besides the square. */
    public CallWork work() {
        return CallWork.of(get(BURN), get(WAIT));
    }

    /** How many messages a request sends: in a stream, one for each call. */
    public int messages() {
        int size = Math.max(1, get(SIZE));
        return (calls() + size - 1) / size;
    }

    /** How many seconds a request may take before a generator gives it up. */
    public int timeoutSeconds() {
        return mode == CallMode.QUEUE ? QUEUE_TIMEOUT_SECONDS : TIMEOUT_SECONDS;
    }

    /** The aggregator's path for it over a variant: {@code /nats/square/unary/1000}. */
    public String path(String variant) {
        String query = text(SIZE, PAYLOAD, BURN, WAIT).strip().replace(' ', '&');
        return "/%s/square/%s/%d".formatted(variant, mode.text(), calls()) + (query.isEmpty() ? "" : "?" + query);
    }

    /** Whether the two differ in nothing but their loads. */
    public boolean differsOnlyInLoadFrom(Workload other) {
        return equals(other.under(load));
    }

    /** Whether both have as many topics, groups and consumers, so that the same connections can carry them. */
    public boolean sharesQueueWith(Workload other) {
        return Stream.of(TOPICS, GROUPS, CONSUMERS).allMatch(dimension -> get(dimension) == other.get(dimension));
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
        Stream<Map<String, String>> combinations = Stream.of(Map.of());
        Set<String> seen = new LinkedHashSet<>();
        for (String word : text.split("\\s+")) {
            int equals = word.indexOf('=');
            String key = equals < 0 ? CALL_MODE : word.substring(0, equals);
            require(KEYS.contains(key), "'%s' is not known in '%s'; known are %s", word, text, String.join(", ", KEYS));
            require(seen.add(key), "'%s' names %s twice", text, key);
            List<String> values = List.of(word.substring(equals + 1).split(",", -1));
            combinations = combinations.flatMap(shorter -> values.stream().map(value -> {
                Map<String, String> longer = new HashMap<>(shorter);
                longer.put(key, value);
                return longer;
            }));
        }
        return combinations.map(Workload::of).toList();
    }

    private static Workload of(Map<String, String> values) {
        String name = values.getOrDefault(CALL_MODE, CallMode.UNARY.text());
        CallMode mode = CallMode.find(name)
                .orElseThrow(() -> new WorkloadException(
                        "there is no call mode '%s'; there are %s".formatted(name, CallMode.names())));
        Map<Dimension, Integer> numbers = new EnumMap<>(Dimension.class);
        String workText = values.get(WORK);
        Map<String, String> work = workText == null ? Map.of() : work(workText);
        for (Dimension dimension : Dimension.values()) {
            String text = (dimension.isWork() ? work : values).get(dimension.key());
            if (text != null) {
                numbers.put(dimension, dimension.parse(text));
            } else if (dimension.isOf(mode)) {
                numbers.put(dimension, dimension.byDefault(mode));
            }
        }
        return new Workload(mode, numbers, load(mode, values.get(USERS), values.get(RATE)));
    }

    /** The values in {@code burn:200us+wait:2ms}, by the keys of their dimensions. */
    private static Map<String, String> work(String text) {
        Map<String, String> values = new HashMap<>();
        for (String part : text.split("\\+", -1)) {
            String key = part.split(":", 2)[0];
            require(
                    part.contains(":")
                            && (key.equals(BURN.key()) || key.equals(WAIT.key()))
                            && values.put(key, part.substring(key.length() + 1)) == null,
                    "work must be like burn:200us, wait:2ms or burn:200us+wait:2ms, but it is '%s'",
                    text);
        }
        return values;
    }

    private static Load load(CallMode mode, @Nullable String users, @Nullable String rate) {
        if (users != null && rate == null) {
            return new Load.Users(whole(USERS, users));
        }
        if (rate != null && users == null) {
            return Load.ofRate(rate);
        }
        if (users == null && mode == CallMode.QUEUE) {
            return QUEUE_LOAD;
        }
        throw new WorkloadException(
                "a workload needs either users=N (closed model) or rate=R (open model, requests per second)");
    }

    static int whole(String key, String text) {
        require(text.matches("[0-9]{1,9}"), "%s must be a whole number, but it is '%s'", key, text);
        return Integer.parseInt(text);
    }

    /**
     * Reads a whole number of at most nine digits.
     *
     * @throws WorkloadException the text is none
     */
    public static int whole(String text) {
        return whole("it", text);
    }

    @Override
    public String toString() {
        return mode.text()
                + text(CALLS, SIZE)
                + " "
                + load
                + text(PUBLISHERS, CONSUMERS, TOPICS, GROUPS, PAYLOAD)
                + workText()
                + text(DISTANCE);
    }

    private String workText() {
        String work = text(BURN, WAIT).strip().replace('=', ':').replace(' ', '+');
        return work.isEmpty() ? "" : " " + WORK + "=" + work;
    }

    private String text(Dimension... dimensions) {
        return Stream.of(dimensions)
                .filter(numbers::containsKey)
                .map(dimension -> dimension.text(mode, get(dimension)))
                .collect(Collectors.joining());
    }

    @Override
    public int compareTo(Workload other) {
        return ORDER.compare(this, other);
    }

    /** @throws WorkloadException with this message, if {@code holds} is false */
    public static void require(boolean holds, String message, Object... details) {
        if (!holds) {
            throw new WorkloadException(message.formatted(details));
        }
    }
}
