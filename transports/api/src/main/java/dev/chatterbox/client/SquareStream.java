package dev.chatterbox.client;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * One exchange that carries inputs to a square service, and their outputs back, in any order. Disposing of it, on any
 * thread, breaks it off, and the service learns of that. When it has ended in any way, nothing of it is left.
 */
public interface SquareStream extends Disposable {

    /**
     * Sends one input on subscription, and ends with its output, as {@link SquareClient#square} does, with a deadline
     * of its own. The first input opens the exchange, and the last one ends its sending half.
     *
     * <p>The last output is passed on only when the service has ended the exchange too. So a surplus output, or an
     * exchange that never ends, is an error like any other. If the exchange breaks off, ends early or brings an output
     * that was not requested, every outstanding input ends with an error, and so does every later one.
     *
     * @param request a unary request; each of the stream's numbers once, by one thread at a time
     */
    Mono<SquareReply> square(SquareRequest request);
}
