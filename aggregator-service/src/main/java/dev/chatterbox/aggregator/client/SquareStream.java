package dev.chatterbox.aggregator.client;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * One exchange that carries inputs to a square service, and their outputs back, in whatever order. Disposing of it ends
 * it in the middle, on any thread; the service learns of it. Once it has ended, whichever way, nothing of it is left.
 */
public interface SquareStream extends Disposable {

    /**
     * Sends one input, when it is subscribed to, and ends with its output; as {@link SquareClient#square}, with a
     * deadline of its own. The first opens the exchange, and the last ends its half of it.
     *
     * <p>The last output is handed on when the service has ended the exchange too: so an output too many, or an
     * exchange that never ends, is an error like another. Where the exchange breaks off, ends early or brings what was
     * not requested, every input that is outstanding ends with an error, and so does each that comes later.
     *
     * @param request a unary one; each of the stream's numbers once, by one thread at a time
     */
    Mono<SquareReply> square(SquareRequest request);
}
