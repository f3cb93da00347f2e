package dev.chatterbox.client;

import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** The client of the variant {@code scripted}: a test answers its calls by hand. */
public class ScriptedClient implements SquareStreamClient {

    /** A call that was sent and waits for its end. */
    public record Call(SquareRequest request, MonoSink<SquareReply> sink) {

        public void right() {
            LongStream squares = LongStream.range(request.number(), request.number() + request.count())
                    .map(number -> number * number);
            sink.success(
                    request.batch()
                            ? request.reply(squares.toArray())
                            : request.reply(request.number(), squares.sum()));
        }

        public void fail(Outcome outcome) {
            sink.error(new CallException(outcome, "scripted " + outcome.tag()));
        }
    }

    public final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    public final AtomicInteger cancelled = new AtomicInteger();

    /** How many streams were given up. */
    public final AtomicInteger disposed = new AtomicInteger();

    private final Set<MonoSink<SquareReply>> outstanding = ConcurrentHashMap.newKeySet();
    public volatile boolean started;
    public volatile boolean stopped;

    @Override
    public Mono<SquareReply> square(SquareRequest request) {
        return Mono.create(sink -> {
            sink.onCancel(cancelled::incrementAndGet);
            outstanding.add(sink);
            sink.onDispose(() -> outstanding.remove(sink));
            calls.add(new Call(request, sink));
        });
    }

    /** A stream whose inputs are calls like all others. */
    @Override
    public SquareStream stream(int n) {
        AtomicInteger left = new AtomicInteger(n);
        return new SquareStream() {
            @Override
            public Mono<SquareReply> square(SquareRequest request) {
                return ScriptedClient.this.square(request).doOnNext(reply -> left.decrementAndGet());
            }

            @Override
            public void dispose() {
                if (left.get() > 0) {
                    disposed.incrementAndGet();
                }
            }
        };
    }

    @Override
    public Mono<Void> check() {
        return Mono.empty();
    }

    @Override
    public Set<Deviation> deviations() {
        return Set.of(Deviation.SHOWS_NO_OUTAGE);
    }

    @Override
    public void start() {
        started = true;
    }

    @Override
    public void stop() {
        stopped = true;
        outstanding.forEach(sink -> sink.error(CallException.stopping()));
    }
}
