package dev.chatterbox.square.common;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Square;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what becomes of one request, whatever transport brought it, and counts it in {@code chatterbox.squares}. Safe
 * for concurrent use; does not block.
 */
public final class SquareResponder implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SquareResponder.class);

    private final String name;
    private volatile Faults faults;
    private final Counter ok;
    private final Counter wrong;
    private final Counter dropped;
    private final Counter invalid;
    private final Counter undeliverable;
    private final AtomicBoolean invalidLogged = new AtomicBoolean();
    private final AtomicBoolean undeliverableLogged = new AtomicBoolean();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "square-delay");
        thread.setDaemon(true);
        return thread;
    });

    /** @param name of this process, among all responders */
    public SquareResponder(String name, Faults faults, MeterRegistry meters) {
        this.name = name;
        this.faults = faults;
        ok = counter("ok", meters);
        wrong = counter("wrong", meters);
        dropped = counter("dropped", meters);
        invalid = counter("invalid", meters);
        undeliverable = counter("undeliverable", meters);
        Faults.bindTo(meters, this::faults);
        if (faults.on()) {
            logFaults();
        }
    }

    public String name() {
        return name;
    }

    /** Those that stand now. */
    Faults faults() {
        return faults;
    }

    /**
     * Sets other faults, for requests that come from now on.
     *
     * @param change from the faults that stand to others; what it throws is thrown here, and the faults stay
     */
    synchronized void change(UnaryOperator<Faults> change) {
        Faults changed = change.apply(faults);
        if (!changed.equals(faults)) {
            faults = changed;
            logFaults();
        }
    }

    private void logFaults() {
        if (faults.on()) {
            log.warn("{} fails on demand: {}", name, faults);
        } else {
            log.info("{} no longer fails on demand", name);
        }
    }

    /**
     * Answers a request that came as a protobuf {@link Input}.
     *
     * @return false where it is never answered, because {@link Faults#drop()} says so
     */
    public boolean answer(byte[] message, Reply reply) {
        int number;
        try {
            number = Input.parseFrom(message).getNumber();
        } catch (InvalidProtocolBufferException e) {
            refuse("the body is not a square.Input message: " + e.getMessage(), reply);
            return true;
        }
        return answer(number, reply);
    }

    /**
     * Answers a request for the square of a number; one that is less than 1 gets an error.
     *
     * @return false where it is never answered, because {@link Faults#drop()} says so
     */
    public boolean answer(int number, Reply reply) {
        Faults now = faults;
        if (number < 1) {
            refuse("the number must be 1 to " + Integer.MAX_VALUE + ", but it is " + number, reply);
        } else if (happens(now.drop())) {
            dropped.increment();
            return false;
        } else if (now.delay().isZero()) {
            square(number, now, reply);
        } else {
            timer.schedule(() -> square(number, now, reply), now.delay().toNanos(), TimeUnit.NANOSECONDS);
        }
        return true;
    }

    /** Refuses a request: counted each time, logged the first time, and answered with an error of code 400. */
    public void refuse(String reason, Reply reply) {
        invalid.increment();
        if (invalidLogged.compareAndSet(false, true)) {
            log.warn("An invalid request: {} (further ones are only counted, in chatterbox.squares)", reason);
        }
        reply.error(400, reason);
    }

    /**
     * Notes an answer that could not be sent: counted each time, logged the first time. Safe to call from any thread.
     */
    public void undeliverable(String reason) {
        undeliverable.increment();
        if (undeliverableLogged.compareAndSet(false, true)) {
            log.warn("An answer could not be sent: {} (further ones are only counted, in chatterbox.squares)", reason);
        }
    }

    private void square(int number, Faults faultsOfRequest, Reply reply) {
        long square = Square.of(number);
        if (happens(faultsOfRequest.wrong())) {
            wrong.increment();
            reply.square(number, square + 1);
        } else {
            ok.increment();
            reply.square(number, square);
        }
    }

    private static boolean happens(double probability) {
        return probability > 0 && ThreadLocalRandom.current().nextDouble() < probability;
    }

    private Counter counter(String outcome, MeterRegistry meters) {
        return Counter.builder("chatterbox.squares")
                .description("Requests that this responder received, by what became of them")
                .tag("responder", name)
                .tag("outcome", outcome)
                .register(meters);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
