package dev.chatterbox.responder;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.connection.Daemon;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Inputs;
import dev.chatterbox.proto.Messages;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Outputs;
import dev.chatterbox.proto.Square;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.traces.WorkSpan;
import dev.chatterbox.transport.CallWork;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers, refuses or drops a request, whatever transport brought it, and counts it in {@code chatterbox.squares}. Safe
 * for concurrent use. Spends the CPU time that a request asks for on the thread that brought it, and does not block
 * otherwise.
 */
public final class SquareResponder implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SquareResponder.class);

    /** The memory that a delayed answer takes at most, in bytes, without its payloads. */
    private static final int DELAYED_ANSWER = 512;

    private final String name;
    private final Traces traces;
    private final long mostDelayedBytes;

    /** The bytes that all currently delayed answers hold. */
    private final AtomicLong delayedBytes = new AtomicLong();

    private volatile Faults faults = Faults.NONE;
    private final Counter ok;
    private final Counter wrong;
    private final Counter dropped;
    private final Mishap tooMuchDelayed;
    private final Mishap invalid;
    private final Mishap undeliverable;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(task -> Daemon.thread("square-delay", task));

    /** An event that is counted each time and logged the first time. */
    private record Mishap(String what, Counter counter, AtomicBoolean logged) {

        Mishap(String what, Counter counter) {
            this(what, counter, new AtomicBoolean());
        }

        void note(String reason, int inputs) {
            counter.increment(inputs);
            if (logged.compareAndSet(false, true)) {
                // A stranger's text must not look like a line of the log.
                log.warn(
                        "{}: {} (further ones are only counted, in chatterbox.squares)",
                        what,
                        reason.replaceAll("\\p{Cntrl}", "?"));
            }
        }
    }

    /** @param name identifies this process among all responders */
    public SquareResponder(String name, Faults faults, MeterRegistry meters) {
        this(name, faults, meters, Runtime.getRuntime().maxMemory() / 4);
    }

    /** @param mostDelayedBytes the memory limit of all delayed answers; further answers are dropped */
    SquareResponder(String name, Faults faults, MeterRegistry meters, long mostDelayedBytes) {
        this.name = name;
        traces = new Traces(name);
        this.mostDelayedBytes = mostDelayedBytes;
        ok = counter("ok", meters);
        wrong = counter("wrong", meters);
        dropped = counter("dropped", meters);
        tooMuchDelayed = new Mishap("An answer is dropped", dropped);
        invalid = new Mishap("An invalid request", counter("invalid", meters));
        undeliverable = new Mishap("An answer could not be sent", counter("undeliverable", meters));
        Faults.bindTo(meters, this::faults);
        change(start -> faults);
    }

    public String name() {
        return name;
    }

    /**
     * Begins the span of a request's work, if its call is traced; the reply brings its end as {@link
     * ResponderWork#HEADER}.
     *
     * @param traceparent the request's header {@link Traces#PARENT}; null if it has none
     * @return null if the call is not traced
     */
    public @Nullable WorkSpan trace(@Nullable String traceparent) {
        return traces.work(traceparent);
    }

    public Faults faults() {
        return faults;
    }

    /**
     * Sets other faults, for requests that come from now on.
     *
     * @param change makes the new faults from the current ones; if it throws, this throws, and the faults stay
     */
    public synchronized void change(UnaryOperator<Faults> change) {
        Faults changed = change.apply(faults);
        if (!changed.equals(faults)) {
            faults = changed;
            if (changed.equals(Faults.NONE)) {
                log.info("{} no longer fails on demand", name);
            } else {
                log.warn("{} fails on demand: {}", name, changed);
            }
        }
    }

    /**
     * Answers a request that came as a protobuf {@link Input}.
     *
     * @param message must not be changed afterwards
     * @return false if it is never answered, because of {@link Faults#drop()} or because too much is delayed
     */
    public boolean answer(byte[] message, Reply<? super Output> reply) {
        try {
            Input input = Messages.parse(Input.parser(), message);
            String wrong = wrong(input);
            if (wrong != null) {
                return refuse(wrong, reply);
            }
            CallWork work = CallWork.of(input.getBurnMicros(), input.getWaitMicros());
            return answer(input.getNumber(), input.getPayload(), work, reply);
        } catch (InvalidProtocolBufferException e) {
            return refuse("the body is not a square.Input message: " + e.getMessage(), reply);
        }
    }

    /**
     * Answers a request for the square of a number; a number less than 1 gets an error.
     *
     * @param payload the answer repeats it
     * @return false if it is never answered, because of {@link Faults#drop()} or because too much is delayed
     */
    public boolean answer(int number, ByteString payload, CallWork work, Reply<? super Output> reply) {
        Faults now = faults;
        if (number < 1) {
            return refuse(outOfRange(number), reply);
        }
        Burn.micros(work.burnMicros());
        if (happens(now.drop())) {
            dropped.increment();
            return false;
        }
        if (now.delay().isZero() && work.waitMicros() == 0) {
            reply.answer(square(number, payload, now));
            return true;
        }
        return later(now, work.waitMicros(), 1, payload.size(), () -> reply.answer(square(number, payload, now)));
    }

    /**
     * Answers a batch that came as protobuf {@link Inputs}.
     *
     * @param message must not be changed afterwards
     * @return false if it is never answered, because of {@link Faults#drop()} or because too much is delayed
     */
    public boolean answerBatch(byte[] message, Reply<? super Outputs> reply) {
        try {
            return answerBatch(Messages.parse(Inputs.parser(), message), reply);
        } catch (InvalidProtocolBufferException e) {
            return refuse("the body is not a square.Inputs message: " + e.getMessage(), reply);
        }
    }

    /**
     * Answers a batch. If one input is wrong, or there are none or more than {@link Messages#MOST_INPUTS}, the whole
     * batch gets one error. Counts inputs. Faults apply to single inputs: the answer leaves dropped inputs out, and if
     * all inputs are dropped, there is no answer. The inputs burn one after the other, and wait at the same time.
     *
     * @return false if it is never answered, because of {@link Faults#drop()} or because too much is delayed
     */
    public boolean answerBatch(Inputs batch, Reply<? super Outputs> reply) {
        List<Input> inputs = batch.getInputsList();
        if (inputs.isEmpty() || inputs.size() > Messages.MOST_INPUTS) {
            return refuse(
                    "a batch must have 1 to %d inputs, but it has %d".formatted(Messages.MOST_INPUTS, inputs.size()),
                    Math.max(1, inputs.size()),
                    reply);
        }
        long burnMicros = 0;
        int waitMicros = 0;
        String wrong = null;
        for (Input input : inputs) {
            wrong = wrong(input);
            if (wrong != null) {
                break;
            }
            burnMicros += input.getBurnMicros();
            waitMicros = Math.max(waitMicros, input.getWaitMicros());
        }
        wrong = wrong == null ? CallWork.wrongTogether(burnMicros) : wrong;
        if (wrong != null) {
            return refuse(wrong, inputs.size(), reply);
        }
        Burn.micros(burnMicros);
        Faults now = faults;
        List<Input> rest = now.drop() > 0 ? notDropped(inputs, now) : inputs;
        if (rest.isEmpty()) {
            return false;
        }
        if (now.delay().isZero() && waitMicros == 0) {
            reply.answer(squares(rest, now));
            return true;
        }
        long payloads =
                rest.stream().mapToLong(input -> input.getPayload().size()).sum();
        return later(now, waitMicros, rest.size(), payloads, () -> reply.answer(squares(rest, now)));
    }

    private List<Input> notDropped(List<Input> inputs, Faults now) {
        List<Input> rest = inputs.stream().filter(input -> !happens(now.drop())).toList();
        dropped.increment(inputs.size() - rest.size());
        return rest;
    }

    private static @Nullable String wrong(Input input) {
        return input.getNumber() < 1
                ? outOfRange(input.getNumber())
                : CallWork.wrong(input.getBurnMicros(), input.getWaitMicros());
    }

    private static String outOfRange(int number) {
        return "the number must be 1 to " + Integer.MAX_VALUE + ", but it is " + number;
    }

    /** @return false if too much is delayed already; then the answer is dropped, and its requester gives up */
    private boolean later(Faults now, int waitMicros, int inputs, long payloads, Runnable answer) {
        long bytes = payloads + (long) inputs * DELAYED_ANSWER;
        if (delayedBytes.addAndGet(bytes) > mostDelayedBytes) {
            delayedBytes.addAndGet(-bytes);
            tooMuchDelayed.note(
                    "those that are delayed or wait keep %d MB already, a quarter of the heap"
                            .formatted(mostDelayedBytes >> 20),
                    inputs);
            return false;
        }
        timer.schedule(
                () -> {
                    delayedBytes.addAndGet(-bytes);
                    answer.run();
                },
                now.delay().toNanos() + TimeUnit.MICROSECONDS.toNanos(waitMicros),
                TimeUnit.NANOSECONDS);
        return true;
    }

    /**
     * Refuses a request: counted each time, logged the first time, and answered with an error.
     *
     * @return true: it is answered
     */
    public boolean refuse(String reason, Reply<?> reply) {
        return refuse(reason, 1, reply);
    }

    private boolean refuse(String reason, int inputs, Reply<?> reply) {
        invalid.note(reason, inputs);
        reply.error(reason);
        return true;
    }

    /**
     * Notes an answer that could not be sent: counted each time, logged the first time. Safe to call from any thread.
     */
    public void undeliverable(String reason) {
        undeliverable.note(reason, 1);
    }

    private Output square(int number, ByteString payload, Faults faultsOfRequest) {
        boolean isWrong = happens(faultsOfRequest.wrong());
        (isWrong ? wrong : ok).increment();
        return output(number, payload, isWrong);
    }

    private Outputs squares(List<Input> inputs, Faults faultsOfRequest) {
        Outputs.Builder outputs = Outputs.newBuilder();
        int wrongOnes = 0;
        for (Input input : inputs) {
            boolean isWrong = happens(faultsOfRequest.wrong());
            wrongOnes += isWrong ? 1 : 0;
            outputs.addOutputs(output(input.getNumber(), input.getPayload(), isWrong));
        }
        wrong.increment(wrongOnes);
        ok.increment(inputs.size() - wrongOnes);
        return outputs.build();
    }

    /** @param isWrong whether the result is one too large */
    public static Output output(int number, ByteString payload, boolean isWrong) {
        return Output.newBuilder()
                .setNumber(number)
                .setResult(isWrong ? Square.of(number) + 1 : Square.of(number))
                .setPayload(payload)
                .build();
    }

    private static boolean happens(double probability) {
        return probability > 0 && ThreadLocalRandom.current().nextDouble() < probability;
    }

    private Counter counter(String outcome, MeterRegistry meters) {
        return Counter.builder("chatterbox.squares")
                .description("Inputs that this responder received, by what became of them")
                .tag("responder", name)
                .tag("outcome", outcome)
                .register(meters);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        traces.close();
    }
}
