package dev.chatterbox.client;

import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * What all stock clients share: the deadline, the translation of errors to {@link CallException}, and the stop. A stock
 * client has one of these, and says how a request is sent and what its library's errors mean.
 */
public final class StockCalls {

    private final Function<Throwable, CallException> errors;
    private volatile boolean stopped;

    /** @param errors translates the library's errors, as long as the client is not stopped */
    public StockCalls(Function<Throwable, CallException> errors) {
        this.errors = errors;
    }

    /**
     * Threads for a library that blocks, for one variant alone: while its server does not answer all of them wait, and
     * the threads that Reactor shares run the checks of other variants.
     */
    public static Scheduler threads(String variant) {
        return Schedulers.newBoundedElastic(
                Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE,
                Schedulers.DEFAULT_BOUNDED_ELASTIC_QUEUESIZE,
                variant,
                60,
                true);
    }

    /**
     * A call whose deadline the library keeps. {@code send} must translate the library's error for a deadline to
     * {@link SquareRequest#timedOut}.
     *
     * @param send makes what sends the request and reads its reply, once for each call, and not after {@link #stop}
     */
    public Mono<SquareReply> call(Supplier<Mono<SquareReply>> send) {
        return sent(send).onErrorMap(this::callException);
    }

    /** A call whose deadline Reactor's timer keeps. */
    public Mono<SquareReply> timed(SquareRequest request, Supplier<Mono<SquareReply>> send) {
        return timed(request, sent(send));
    }

    /** The same for a library that blocks when it sends: the request is sent, and given up, on these threads. */
    public Mono<SquareReply> timedOn(Scheduler threads, SquareRequest request, Supplier<Mono<SquareReply>> send) {
        return timed(request, sent(send).subscribeOn(threads).cancelOn(threads));
    }

    /** Checks for the stop on the sending thread, because a call may have waited for that thread. */
    private Mono<SquareReply> sent(Supplier<Mono<SquareReply>> send) {
        return Mono.defer(() -> stopped ? Mono.error(CallException.stopping()) : send.get());
    }

    private Mono<SquareReply> timed(SquareRequest request, Mono<SquareReply> sent) {
        return sent.timeout(request.timeout())
                .onErrorMap(error ->
                        error instanceof TimeoutException && !stopped ? request.timedOut() : callException(error));
    }

    private CallException callException(Throwable error) {
        if (error instanceof CallException call) {
            return call;
        }
        return stopped ? CallException.stopping() : errors.apply(error);
    }

    /** After this no call is sent, and every error of an outstanding call becomes the error of the stop. */
    public void stop() {
        stopped = true;
    }

    public boolean isStopped() {
        return stopped;
    }
}
