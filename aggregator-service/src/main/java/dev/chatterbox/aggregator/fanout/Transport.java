package dev.chatterbox.aggregator.fanout;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Deviation;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import dev.chatterbox.rows.Row;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One transport that is present: its client, its limit on calls in flight and its meters. */
public final class Transport {

    private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(2);

    final SquareClient client;
    final InFlightLimit inFlightLimit;
    final Meters meters;
    final Duration callTimeout;
    private final Row row;
    private final @Nullable String disabled;
    private final Admission admission;
    private final int perRequest;
    private final int maxInFlight;

    /**
     * @param disabled why it takes no requests; null where it does
     * @param properties with the row's own bounds
     * @param admission shared by all transports
     */
    Transport(
            Row row,
            SquareClient client,
            @Nullable String disabled,
            FanOutProperties properties,
            Admission admission,
            MeterRegistry registry) {
        this.row = row;
        this.client = client;
        this.disabled = disabled;
        this.admission = admission;
        callTimeout = properties.callTimeout();
        maxInFlight = Math.min(properties.maxInFlight(), client.maxInFlight());
        perRequest = properties.concurrencyPerRequest();
        inFlightLimit = new InFlightLimit(perRequest, maxInFlight);
        meters = new Meters(name(), inFlightLimit, registry);
        Gauge.builder("chatterbox.row", () -> 1)
                .description(
                        "1 for each row that is present, with the responder and the broker that its CPU is joined by")
                .tag("transport", name())
                .tag("responder", Objects.requireNonNullElse(responder(), ""))
                .tag("broker", Objects.requireNonNullElse(broker(), ""))
                .register(registry);
    }

    /**
     * What {@code GET /transports} shows.
     *
     * @param reason why it is not up; null where it is
     * @param responder the process that answers; null where there is none
     * @param broker null where there is none
     * @param deviations what its library does otherwise than other clients, in sentences; null where nothing
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record State(
            String name,
            String kind,
            String state,
            @Nullable String reason,
            String about,
            List<String> exchanges,
            @Nullable String responder,
            @Nullable String broker,
            Map<String, Object> settings,
            @Nullable List<String> deviations) {}

    public String name() {
        return row.name();
    }

    public boolean enabled() {
        return disabled == null;
    }

    private @Nullable String responder() {
        return row.responder().map(Row.Responder::name).orElse(null);
    }

    private @Nullable String broker() {
        return row.broker().map(Row.Broker::name).orElse(null);
    }

    /** Calls sent and not yet ended. */
    public int inFlight() {
        return inFlightLimit.inFlight();
    }

    /** Requests that wait until the limit on calls in flight lets them send their next call. */
    public int waiting() {
        return inFlightLimit.waiting();
    }

    /** How long its calls took, of whatever outcome: all that {@code chatterbox.calls} counts. */
    public CallDurations.Distribution latency() {
        return meters.durations().distribution(name());
    }

    /** Asks the client, for two seconds at the most. */
    public Mono<State> state() {
        if (disabled != null) {
            return Mono.just(state("disabled", disabled));
        }
        return client.check()
                .timeout(CHECK_TIMEOUT)
                .then(Mono.fromSupplier(() -> state("up", null)))
                .onErrorResume(error -> Mono.just(state(
                        "down",
                        error instanceof CallException failure
                                ? failure.getMessage()
                                : "no answer to a check within " + CHECK_TIMEOUT.toSeconds() + " s")));
    }

    private State state(String state, @Nullable String reason) {
        return new State(
                name(),
                row.kind().text(),
                state,
                reason,
                row.about(),
                row.exchanges(),
                responder(),
                broker(),
                settings(),
                deviations());
    }

    private @Nullable List<String> deviations() {
        List<String> sentences =
                client.deviations().stream().sorted().map(Deviation::sentence).toList();
        return sentences.isEmpty() ? null : sentences;
    }

    /** The client's, and the bounds that hold for this row. */
    Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>(client.settings());
        settings.put("bounds.per-request", perRequest);
        settings.put("bounds.in-flight", maxInFlight);
        return settings;
    }

    /**
     * The squares of 1 to n, that of k at k−1, by n calls. The first call that fails fails it, with its error.
     * Completes on the client library's thread.
     */
    public Mono<long[]> squares(int n) {
        return Mono.create(sink -> {
            long[] squares = new long[n];
            FanOut fanOut = new FanOut(this, n, new FanOut.Listener() {
                @Override
                public void replied(SquareReply reply) {
                    squares[reply.number() - 1] = reply.square();
                }

                @Override
                public void succeeded() {
                    sink.success(squares);
                }

                @Override
                public void failed(Throwable error) {
                    sink.error(error);
                }
            });
            sink.onDispose(fanOut::cancel);
            fanOut.start();
        });
    }

    /**
     * The squares of 1 to n, in order of completion; as {@link #squares} otherwise. What a slow reader leaves waits:
     * n at most.
     */
    public Flux<SquareReply> stream(int n) {
        return Flux.create(sink -> {
            FanOut fanOut = new FanOut(this, n, new FanOut.Listener() {
                @Override
                public void replied(SquareReply reply) {
                    sink.next(reply);
                }

                @Override
                public void succeeded() {
                    sink.complete();
                }

                @Override
                public void failed(Throwable error) {
                    sink.error(error);
                }
            });
            sink.onDispose(fanOut::cancel);
            fanOut.start();
        });
    }

    /** @return null where a request is admitted, to be {@linkplain #release released} once; else why it is not */
    @Nullable
    CallException admit() {
        return disabled == null
                ? admission.admit()
                : new CallException(Outcome.UNAVAILABLE, "the transport " + name() + " is disabled: " + disabled);
    }

    void release() {
        admission.release();
    }
}
