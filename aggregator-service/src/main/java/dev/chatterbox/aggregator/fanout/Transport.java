package dev.chatterbox.aggregator.fanout;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.chatterbox.aggregator.trace.RequestTrace;
import dev.chatterbox.client.CallException;
import dev.chatterbox.client.Deviation;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.SquareStreamClient;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.VariantException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/** One started transport: its client, its limit on calls in flight and its meters. */
public final class Transport {

    private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(2);

    /** The answer to a check holds so long for whoever asks next. */
    private static final Duration CHECK_HOLDS = Duration.ofMillis(250);

    /** Replies come on several threads, which would compete for the cache line if each reply wrote its time. */
    private static final long REPLIED_NANOS = Duration.ofMillis(1).toNanos();

    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(1);

    final SquareClient client;
    final InFlightLimit inFlightLimit;
    public final Meters meters;
    private final Duration callTimeout;
    private final Variant variant;
    private final @Nullable String disabled;
    private final Semaphore admission;
    private final UnreadReplies unread;
    private final FanOutProperties properties;
    private final InFlightBounds perRequest;
    private final InFlightBounds inAll;
    private final Mono<Status> checked;

    /** The time of the last reply by {@link System#nanoTime}, exact to a millisecond. */
    private volatile long lastReplyAt = System.nanoTime();

    /**
     * @param disabled why the transport takes no requests; null if it takes them
     * @param properties with the variant's own bounds
     * @param admission shared by all transports: a permit for each request that is being answered or waits for its turn
     * @param unread shared by all transports
     * @param sender a thread that sends calls for event loops and timers, which have no time for it
     */
    Transport(
            Variant variant,
            SquareClient client,
            @Nullable String disabled,
            FanOutProperties properties,
            Semaphore admission,
            UnreadReplies unread,
            Executor sender,
            MeterRegistry registry) {
        this.variant = variant;
        this.client = client;
        this.disabled = disabled;
        this.admission = admission;
        this.unread = unread;
        this.properties = properties;
        callTimeout = properties.callTimeout();
        inAll = properties.boundsInAll(client);
        perRequest = properties.boundsPerRequest(inAll);
        inFlightLimit = new InFlightLimit(perRequest, inAll, properties.maxInFlight(), sender);
        if (modes().contains(CallMode.STREAM) && !(client instanceof SquareStreamClient)) {
            throw new VariantException("variants/%s.properties: its client has no call mode stream".formatted(name()));
        }
        meters = new Meters(name(), this::inFlight, registry);
        checked = Mono.defer(this::check).cache(CHECK_HOLDS);
    }

    /** Registers the gauge by which dashboards show the transport. */
    void show(MeterRegistry registry) {
        Gauge.builder("chatterbox.variant", () -> 1)
                .description(
                        "1 for each variant that is present, with the responder and the broker that its CPU is joined by")
                .tag("transport", name())
                .tag("responder", Objects.requireNonNullElse(responder(), ""))
                .tag("broker", Objects.requireNonNullElse(broker(), ""))
                .register(registry);
    }

    /**
     * An element of the answer to {@code GET /transports}.
     *
     * @param deviations how the library differs from other clients, in sentences; left out if it does not
     */
    public record Status(
            String name,
            String kind,
            @JsonUnwrapped State state,
            String about,
            List<String> modes,
            @JsonUnwrapped Path path,
            Map<String, Object> settings,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> deviations) {}

    /**
     * Whether a transport can be used: up, down or disabled.
     *
     * @param reason why it is not up; null if it is
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record State(String state, @Nullable String reason) {}

    /**
     * What a request passes.
     *
     * @param responder the process that answers; null if there is none
     * @param broker null if there is none
     * @param address the responder's address at the broker, by part; null if there is no broker
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Path(
            @Nullable String responder,
            @Nullable String broker,
            @Nullable Map<String, String> address) {}

    public Variant variant() {
        return variant;
    }

    public String name() {
        return variant.name();
    }

    public List<CallMode> modes() {
        return variant.modes().stream().filter(mode -> mode != CallMode.QUEUE).toList();
    }

    /**
     * Why nothing of this work is sent: a single message is larger than can be carried, or than may be in flight.
     *
     * @return for the user; null if the work can be sent
     */
    public @Nullable String refusal(Work work) {
        MessageLimit limit = work.mode() == CallMode.STREAM
                ? ((SquareStreamClient) client).streamedMessageLimit()
                : client.messageLimit();
        long bytes = SquareRequest.mostBytes(work.size(), work.payload());
        if (bytes > limit.bytes()) {
            return "%s may take %d bytes, but %s carries %d at the most (%s)"
                    .formatted(message(work), bytes, name(), limit.bytes(), limit.name());
        }
        if (inFlightLimit.isTooMuch(work)) {
            return ("%s is more than one request may have in flight: %d inputs (chatterbox.inputs-per-request) and %d"
                            + " bytes (half of bounds.bytes-in-flight in GET /transports: chatterbox.payload-heap-share of the"
                            + " heap, or what its library allows)")
                    .formatted(message(work), perRequest.inputs(), perRequest.bytes());
        }
        return null;
    }

    private static String message(Work work) {
        return "A message of %d inputs with a payload of %d bytes each".formatted(work.size(), work.payload());
    }

    public boolean enabled() {
        return disabled == null;
    }

    private @Nullable String responder() {
        return variant.responder().map(Variant.Responder::name).orElse(null);
    }

    private @Nullable String broker() {
        return variant.broker().map(Variant.Broker::name).orElse(null);
    }

    /** Calls sent and not yet ended, the inputs of streams among them. */
    public int inFlight() {
        return inFlightLimit.inFlight();
    }

    /** Requests that wait until the limit lets them send their next call. */
    public int waiting() {
        return inFlightLimit.waiting();
    }

    /** The durations of all calls, whatever their outcome: the same calls that {@code chatterbox.calls} counts. */
    public CallDurations.Distribution latency() {
        return meters.callDurations.distribution(name());
    }

    /**
     * Asks the client, for two seconds at the most. Who asks during a check, or within a quarter of a second after it,
     * gets its answer: many viewers must not keep the threads busy that checks of other variants need.
     */
    public Mono<Status> state() {
        return disabled == null ? checked : Mono.just(state("disabled", disabled));
    }

    private Mono<Status> check() {
        return client.check()
                .timeout(CHECK_TIMEOUT)
                .then(Mono.fromSupplier(() -> state("up", null)))
                .onErrorResume(error -> Mono.just(state(
                        "down",
                        error instanceof CallException failure
                                ? failure.getMessage()
                                : "no answer to a check within " + CHECK_TIMEOUT.toSeconds() + " s")));
    }

    private Status state(String state, @Nullable String reason) {
        return new Status(
                name(),
                variant.description().kind().text(),
                new State(state, reason),
                variant.description().about(),
                modes().stream().map(CallMode::text).toList(),
                new Path(responder(), broker(), variant.broker().isPresent() ? variant.address() : null),
                settings(),
                client.deviations().stream().sorted().map(Deviation::sentence).toList());
    }

    /** The settings of the client and of the variant, and then the limits and bounds that apply to this variant. */
    Map<String, Object> settings() {
        Map<String, Object> facts = new TreeMap<>(client.settings());
        facts.put("outlives", variant.description().outlives().what());
        variant.description().settings().forEach((name, value) -> facts.put(name.replace('_', ' '), typed(value)));
        Map<String, Object> settings = new LinkedHashMap<>(facts);
        settings.put("largest message", bytes(client.messageLimit()));
        if (client instanceof SquareStreamClient streams) {
            settings.put("largest message of a stream", bytes(streams.streamedMessageLimit()));
            settings.put("bounds.streamed-inputs-in-flight", properties.maxInFlight());
        }
        settings.put("bounds.per-request", perRequest.messages());
        settings.put("bounds.in-flight", inAll.messages());
        settings.put("bounds.inputs-per-request", perRequest.inputs());
        settings.put("bounds.inputs-in-flight", inAll.inputs());
        settings.put("bounds.bytes-per-request", perRequest.bytes());
        settings.put("bounds.bytes-in-flight", inAll.bytes());
        return settings;
    }

    private static Object typed(String value) {
        if (value.matches("true|false")) {
            return Boolean.valueOf(value);
        }
        return value.matches("[0-9]{1,9}") ? Integer.valueOf(value) : value;
    }

    private static Object bytes(MessageLimit limit) {
        return limit.equals(MessageLimit.NONE) ? limit.name() : limit.bytes();
    }

    /**
     * The squares of 1 to n; the square of k is at index k−1. The first call that fails ends the request with its
     * error. Completes on the client library's thread.
     *
     * @param work has no {@link #refusal}
     * @param traced makes the request's trace, once it is admitted; null from it if the request is not traced
     */
    public Mono<long[]> squares(Work work, Supplier<@Nullable RequestTrace> traced) {
        return Mono.create(sink -> {
            admit();
            long[] squares = new long[work.n()];
            FanOut fanOut = new FanOut(
                    this,
                    work,
                    traced.get(),
                    reply -> {
                        for (int i = 0; i < reply.count(); i++) {
                            squares[reply.number() - 1 + i] = reply.square(i);
                        }
                    },
                    () -> sink.success(squares),
                    sink::error);
            sink.onCancel(fanOut::cancel);
            fanOut.start();
        });
    }

    /**
     * The replies, in order of completion; otherwise like {@link #squares}. Replies wait for a slow reader, until too
     * many do.
     *
     * @param disconnect ends the connection of a user who does not read, which cancels this
     */
    public Flux<SquareReply> replies(Work work, Supplier<@Nullable RequestTrace> traced, Runnable disconnect) {
        Flux<SquareReply> replies = Flux.create(
                sink -> {
                    admit();
                    FanOut fanOut = new FanOut(this, work, traced.get(), sink::next, sink::complete, sink::error);
                    sink.onCancel(fanOut::cancel);
                    fanOut.start();
                },
                FluxSink.OverflowStrategy.IGNORE);
        return unread.of(replies, disconnect);
    }

    /**
     * FanOut calls this at each right reply.
     *
     * @param now by {@link System#nanoTime}
     */
    void replied(long now) {
        if (now - lastReplyAt > REPLIED_NANOS) {
            lastReplyAt = now;
        }
    }

    /**
     * How long a call may take. If nobody answers, calls in flight wait for their deadlines, and other calls wait for
     * their turn. The time that these waited while no reply came at all is subtracted from their deadline. So a request
     * without any reply ends after one deadline, and not after a multiple of it.
     *
     * @param start of the call's request, by {@link System#nanoTime}
     * @param sentAt when the call is sent, by the same clock
     */
    Duration timeout(long start, long sentAt) {
        long replied = lastReplyAt;
        long waited = sentAt - (replied - start > 0 ? replied : start);
        // A smaller difference is not worth another object for each call.
        if (waited < callTimeout.toNanos() / 10) {
            return callTimeout;
        }
        Duration left = callTimeout.minusNanos(waited);
        return left.compareTo(LEAST_TIMEOUT) > 0 ? left : LEAST_TIMEOUT;
    }

    /**
     * Admits a request, which is to be {@linkplain #release released} once, or refuses it before anything is allocated
     * for it.
     *
     * @throws CallException it is not admitted
     */
    void admit() {
        if (disabled != null || !admission.tryAcquire()) {
            meters.refused();
            throw CallException.unavailable(
                    disabled == null
                            ? "%d requests are being answered already (chatterbox.max-requests)"
                                    .formatted(properties.maxRequests())
                            : "the transport " + name() + " is disabled: " + disabled);
        }
    }

    void release() {
        admission.release();
    }
}
