package dev.chatterbox.raw;

import dev.chatterbox.proto.Square;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Drives a bare client library as fast as it goes: without Spring or Reactor, a fixed number of calls in flight, each
 * reply causing the next call. How many are best is found first, by trying. What it reaches is this machine's limit for
 * the transport, and what the aggregator's figures are held against. Every reply is checked.
 *
 * <p>Speaks to the command line in lines of standard output; see docs/how-we-measure.md.
 */
public final class PipelinedCalls {

    /**
     * Numbers of calls in flight that are tried, unless one is asked for: which is best depends on library and
     * machine.
     */
    private static final List<Integer> CANDIDATES = List.of(256, 1024, 4096, 16_384);

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
    private final Duration warmUp;
    private final Duration warmUpAtMost;
    private final Duration window;
    private final AtomicInteger sequence = new AtomicInteger();
    private final AtomicInteger outstanding = new AtomicInteger();
    private final LongAdder right = new LongAdder();
    private final LongAdder wrong = new LongAdder();
    private final LongAdder unsent = new LongAdder();
    private List<Integer> candidates;
    private volatile int inFlight;
    private volatile Sender sender = number -> {};

    private PipelinedCalls(String[] arguments) {
        this.arguments = List.of(arguments);
        int given = (int) argument("--in-flight", 0);
        candidates = given > 0 ? List.of(given) : CANDIDATES;
        warmUp = seconds(argument("--warm-up-seconds", 5));
        warmUpAtMost = seconds(argument("--warm-up-at-most-seconds", 20));
        window = seconds(argument("--seconds", 5));
    }

    /**
     * Runs and ends the JVM: with status 0, or 1 where replies were wrong or missing, or nothing could be run.
     *
     * @param arguments {@code --in-flight N --warm-up-seconds S --warm-up-at-most-seconds S --seconds S}, and the
     *     responder's address as {@code --address.<part>=VALUE}; the warm-up is over when the JIT compiles for less
     *     than a tenth of the time. Without {@code --in-flight} several numbers are tried, for half of
     *     {@code --seconds} each
     */
    public static void main(String[] arguments, Connector connector) {
        boolean allRight = false;
        try {
            allRight = new PipelinedCalls(arguments).run(connector);
        } catch (Exception e) {
            System.err.println("The bare client cannot run: " + e);
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
        return findAddress(part)
                .orElseThrow(() -> new IllegalArgumentException("--address.%s=VALUE is missing".formatted(part)));
    }

    /** A part of the responder's address, or what is meant where it was not given. */
    public String address(String part, String otherwise) {
        return findAddress(part).orElse(otherwise);
    }

    private Optional<String> findAddress(String part) {
        String name = "--address." + part + "=";
        return arguments.stream()
                .filter(argument -> argument.startsWith(name))
                .map(argument -> argument.substring(name.length()))
                .findFirst();
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private boolean run(Connector connector) throws Exception {
        sender = connector.connect(this);
        keepInFlight(candidates.get(candidates.size() / 2));
        warmUp();
        keepInFlight(best());
        event("{\"event\":\"measure\"}");
        long before = right.sum();
        long start = System.nanoTime();
        sleep(window);
        long calls = right.sum() - before;
        double seconds = (System.nanoTime() - start) / 1e9;
        event("{\"event\":\"measured\"}");
        int measuredWith = inFlight;
        long failed = drain() + unsent.sum();
        event(String.format(
                Locale.ROOT,
                "{\"event\":\"raw\",\"calls\":%d,\"seconds\":%.6f,\"failed\":%d,\"wrong\":%d,\"inFlight\":%d}",
                calls,
                seconds,
                failed,
                wrong.sum(),
                measuredWith));
        return failed == 0 && wrong.sum() == 0;
    }

    private static void sleep(Duration duration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    }

    /**
     * Tries each number of calls in flight for a short time, and tells what each reaches. Twice, up and down again:
     * what is tried later is warmer.
     */
    private int best() throws InterruptedException {
        if (candidates.size() == 1) {
            return candidates.get(0);
        }
        Map<Integer, Double> reached = new TreeMap<>();
        List<Integer> all = new ArrayList<>(candidates);
        Collections.reverse(all);
        all.addAll(0, candidates);
        for (int candidate : all) {
            reached.merge(candidate, perSecond(candidate) / 2, Double::sum);
        }
        reached.forEach((candidate, perSecond) -> event(String.format(
                Locale.ROOT, "{\"event\":\"tried\",\"inFlight\":%d,\"callsPerSecond\":%.0f}", candidate, perSecond)));
        return Collections.max(reached.entrySet(), Map.Entry.comparingByValue()).getKey();
    }

    private double perSecond(int candidate) throws InterruptedException {
        keepInFlight(candidate);
        sleep(window.dividedBy(12));
        long before = right.sum();
        long start = System.nanoTime();
        sleep(window.dividedBy(6));
        return (right.sum() - before) * 1e9 / (System.nanoTime() - start);
    }

    /** Sends what is missing; what is too much is not sent again as replies come. */
    private void keepInFlight(int calls) {
        inFlight = calls;
        for (int missing = calls - outstanding.get(); missing > 0; missing--) {
            outstanding.incrementAndGet();
            sendNext();
        }
    }

    /** This JVM is a new one; the responder and the broker were warm before. */
    private void warmUp() throws InterruptedException {
        CompilationMXBean jit = ManagementFactory.getCompilationMXBean();
        long start = System.nanoTime();
        sleep(warmUp);
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
        inFlight = 0;
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

    /** Tells of a reply, on whatever thread it came, and causes the next call. */
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
        int now = outstanding.get();
        while (now > inFlight) {
            if (outstanding.compareAndSet(now, now - 1)) {
                return;
            }
            now = outstanding.get();
        }
        sendNext();
    }

    private void sendNext() {
        try {
            sender.send(1 + Math.floorMod(sequence.getAndIncrement(), LARGEST_NUMBER));
        } catch (Exception e) {
            unsent(e);
        }
    }

    /** Tells of a request that could not be sent; on whatever thread that was found. */
    public void unsent(Exception reason) {
        outstanding.decrementAndGet();
        if (unsent.sum() == 0) {
            System.err.println("A request could not be sent: " + reason);
        }
        unsent.increment();
    }

    /** How many calls there are in flight at the most. */
    public int mostInFlight() {
        return Collections.max(candidates);
    }

    /**
     * To be said while connecting, by a client of which other numbers of calls in flight are to be tried than of most.
     *
     * @param numbers the largest is also what the client can carry, whatever is asked for
     */
    public void tryInFlight(Integer... numbers) {
        int most = Collections.max(List.of(numbers));
        candidates = candidates.equals(CANDIDATES) ? List.of(numbers) : List.of(Math.min(mostInFlight(), most));
    }
}
