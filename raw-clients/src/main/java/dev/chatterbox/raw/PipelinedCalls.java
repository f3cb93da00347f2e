package dev.chatterbox.raw;

import dev.chatterbox.proto.Square;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Drives a bare client library as fast as it goes: without Spring or Reactor, a fixed number of calls in flight, each
 * reply sending the next call on its own thread. What it reaches is this machine's limit for the transport, and what
 * the aggregator's figures are held against. Every reply is checked.
 *
 * <p>Speaks to the command line in lines of standard output; see docs/how-we-measure.md.
 */
public final class PipelinedCalls {

    private static final int LARGEST_NUMBER = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Seconds of compilation in a second. */
    private static final double STEADY = 0.1;

    /** Sends one request; the reply is told to the {@link PipelinedCalls} that {@link Connector#connect} was given. */
    @FunctionalInterface
    public interface Sender {
        void send(int number) throws Exception;
    }

    /** Connects, to the broker or server that the environment names, and returns when requests can be sent. */
    @FunctionalInterface
    public interface Connector {
        Sender connect(PipelinedCalls calls) throws Exception;
    }

    private final List<String> arguments;
    private int inFlight;
    private final Duration warmUp;
    private final Duration warmUpAtMost;
    private final Duration window;
    private final AtomicInteger sequence = new AtomicInteger();
    private final AtomicInteger outstanding = new AtomicInteger();
    private final LongAdder right = new LongAdder();
    private final LongAdder wrong = new LongAdder();
    private volatile boolean stopping;
    private volatile Sender sender = number -> {};

    private PipelinedCalls(String[] arguments) {
        this.arguments = List.of(arguments);
        inFlight = (int) argument("--in-flight", 2048);
        warmUp = seconds(argument("--warm-up-seconds", 5));
        warmUpAtMost = seconds(argument("--warm-up-at-most-seconds", 20));
        window = seconds(argument("--seconds", 5));
    }

    /**
     * Runs and ends the JVM: with status 0, or 1 where replies were wrong or missing, or nothing could be run.
     *
     * @param arguments {@code --in-flight N --warm-up-seconds S --warm-up-at-most-seconds S --seconds S}, and the
     *     responder's address as {@code --address.<part>=VALUE}; the warm-up is over when the JIT compiles for less than
     *     a tenth of the time
     */
    public static void main(String[] arguments, Connector connector) {
        boolean allRight = false;
        try {
            allRight = new PipelinedCalls(arguments).run(connector);
        } catch (Exception e) {
            e.printStackTrace();
        }
        System.exit(allRight ? 0 : 1);
    }

    private double argument(String name, double otherwise) {
        int index = arguments.indexOf(name);
        return index < 0 ? otherwise : Double.parseDouble(arguments.get(index + 1));
    }

    /**
     * A part of the responder's address.
     *
     * @throws IllegalArgumentException it was not given
     */
    public String address(String part) {
        String name = "--address." + part + "=";
        return arguments.stream()
                .filter(argument -> argument.startsWith(name))
                .map(argument -> argument.substring(name.length()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + "VALUE is missing"));
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private boolean run(Connector connector) throws Exception {
        sender = connector.connect(this);
        for (int i = 0; i < inFlight; i++) {
            outstanding.incrementAndGet();
            sendNext();
        }
        warmUp();
        event("{\"event\":\"measure\"}");
        long before = right.sum();
        long start = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(window.toNanos());
        long calls = right.sum() - before;
        double seconds = (System.nanoTime() - start) / 1e9;
        event("{\"event\":\"measured\"}");
        long lost = drain();
        event(String.format(
                Locale.ROOT,
                "{\"event\":\"raw\",\"calls\":%d,\"seconds\":%.6f,\"failed\":%d,\"wrong\":%d,\"inFlight\":%d}",
                calls,
                seconds,
                lost,
                wrong.sum(),
                inFlight));
        return lost == 0 && wrong.sum() == 0;
    }

    /** This JVM is a new one; the responder and the broker were warm before. */
    private void warmUp() throws InterruptedException {
        CompilationMXBean jit = ManagementFactory.getCompilationMXBean();
        long start = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(warmUp.toNanos());
        long compiled = jit.getTotalCompilationTime();
        double share = 1;
        while (share > STEADY && System.nanoTime() - start < warmUpAtMost.toNanos()) {
            TimeUnit.SECONDS.sleep(1);
            long now = jit.getTotalCompilationTime();
            share = (now - compiled) / 1000.0;
            compiled = now;
        }
    }

    private long drain() throws InterruptedException {
        stopping = true;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (outstanding.get() > 0 && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return outstanding.get();
    }

    private static void event(String json) {
        System.out.println("@chatterbox " + json);
        System.out.flush();
    }

    /** Tells of a reply, on whatever thread it came, and sends the next call on it. */
    public void replied(int number, long square) {
        if (square == Square.of(number)) {
            right.increment();
        } else {
            wrong.increment();
        }
        next();
    }

    /** Tells of an error reply. */
    public void failed() {
        wrong.increment();
        next();
    }

    private void next() {
        if (stopping) {
            outstanding.decrementAndGet();
        } else {
            sendNext();
        }
    }

    private void sendNext() {
        try {
            sender.send(1 + Math.floorMod(sequence.getAndIncrement(), LARGEST_NUMBER));
        } catch (Exception e) {
            throw new IllegalStateException("A request could not be sent", e);
        }
    }

    /** How many calls are in flight. */
    public int inFlight() {
        return inFlight;
    }

    /** To be said while connecting, by a client that cannot carry as many calls at once as were asked for. */
    public void limitInFlightTo(int most) {
        inFlight = Math.min(inFlight, most);
    }
}
