package dev.chatterbox.aggregator.fanout;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareReply;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
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
    private final boolean enabled;
    private final Admission admission;

    /** @param admission shared by all transports */
    Transport(
            SquareClient client,
            boolean enabled,
            FanOutProperties properties,
            Admission admission,
            MeterRegistry registry) {
        this.client = client;
        this.enabled = enabled;
        this.admission = admission;
        callTimeout = properties.callTimeout();
        int maxInFlight = Math.min(properties.maxInFlight(), client.maxInFlight());
        inFlightLimit = new InFlightLimit(properties.concurrencyPerRequest(), maxInFlight);
        meters = new Meters(client.name(), inFlightLimit, registry);
    }

    /**
     * What {@code GET /transports} shows.
     *
     * @param reason why it is not up; null where it is
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record State(
            String name,
            String kind,
            String state,
            @Nullable String reason,
            Map<String, Object> settings) {}

    public String name() {
        return client.name();
    }

    public boolean enabled() {
        return enabled;
    }

    /** Calls sent and not yet ended. */
    public int inFlight() {
        return inFlightLimit.inFlight();
    }

    /** Requests that wait until the limit on calls in flight lets them send their next call. */
    public int waiting() {
        return inFlightLimit.waiting();
    }

    /** Asks the client, for two seconds at the most. */
    public Mono<State> state() {
        if (!enabled) {
            return Mono.just(state("disabled", disabledReason()));
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
        return new State(name(), client.kind().name().toLowerCase(Locale.ROOT), state, reason, client.settings());
    }

    private String disabledReason() {
        return "chatterbox." + name() + ".enabled=false";
    }

    /**
     * The squares of 1 to n, that of k at k−1, by n calls. The first call that fails fails it, with its error. Completes on
     * the client library's thread.
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

    /** The squares of 1 to n, in order of completion; as {@link #squares} otherwise. What a slow reader leaves waits: n at most. */
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
        return enabled
                ? admission.admit()
                : new CallException(
                        Outcome.UNAVAILABLE, "the transport " + name() + " is disabled (" + disabledReason() + ")");
    }

    void release() {
        admission.release();
    }
}
