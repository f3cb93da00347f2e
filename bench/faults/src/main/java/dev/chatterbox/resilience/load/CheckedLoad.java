package dev.chatterbox.resilience.load;

import dev.chatterbox.processes.ProcessException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Users who request squares until this object is closed. Each has a connection, and a thread while it waits. */
public final class CheckedLoad implements AutoCloseable {

    /** Much longer than any answer may take; a request that lasts longer counts as never answered. */
    static final Duration PATIENCE = Duration.ofSeconds(150);

    /** Longer than any deadline of a call, and so short that silence counts while its cause lasts. */
    private static final Duration PATIENCE_AT_A_RATE = Duration.ofSeconds(20);

    private static final long PAUSE_MILLIS = 10;

    /** Without this pause, a user whose requests are refused at once would make thousands of them in a second. */
    private static final long PAUSE_AFTER_ERROR_MILLIS = 100;

    /** The stack of a thread is small, because a user needs little and there may be thousands of users. */
    private static final long STACK_BYTES = 256 << 10;

    private final ExecutorService threads = Executors.newCachedThreadPool(CheckedLoad::thread);
    private final List<Thread> pacers = new ArrayList<>();
    private final Queue<User> users = new ConcurrentLinkedQueue<>();
    private final int port;
    private final int calls;
    private final byte[] expected;
    private volatile boolean ended;

    /**
     * @param port of the aggregator
     * @param calls of each request
     */
    public CheckedLoad(int port, int calls) {
        this.port = port;
        this.calls = calls;
        expected = IntStream.rangeClosed(1, calls)
                .mapToObj(number -> "{\"%d\":%d}".formatted(number, (long) number * number))
                .collect(Collectors.joining(",", "[", "]"))
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "load", STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    }

    private User user(String variant, Duration patience) {
        User user = new User(port, "/%s/square/unary/%d".formatted(variant, calls), expected, patience);
        users.add(user);
        return user;
    }

    /** Starts users who make one request after the other. */
    public RequestRecorder users(String variant, int count) {
        RequestRecorder recorder = new RequestRecorder();
        for (int i = 0; i < count; i++) {
            User user = user(variant, PATIENCE);
            threads.execute(() -> {
                while (!ended) {
                    boolean right = user.request(System.nanoTime(), () -> recorder);
                    LockSupport.parkNanos(
                            TimeUnit.MILLISECONDS.toNanos(right ? PAUSE_MILLIS : PAUSE_AFTER_ERROR_MILLIS));
                }
            });
        }
        return recorder;
    }

    /**
     * Makes requests at a fixed rate, whether or not the ones before are answered. The time of an answer counts from
     * the moment when its request was due.
     *
     * @param perSecond requests
     * @param recorder gives the recorder for an answer when it comes
     */
    public void rate(String variant, double perSecond, Supplier<RequestRecorder> recorder) {
        Queue<User> idle = new ConcurrentLinkedQueue<>();
        Thread pacer = thread(() -> {
            long start = System.nanoTime();
            for (long sent = 0; !ended; sent++) {
                long due = start + (long) (sent * 1e9 / perSecond);
                for (long left = due - System.nanoTime(); left > 0 && !ended; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                threads.execute(() -> {
                    User free = idle.poll();
                    User user = free == null ? user(variant, PATIENCE_AT_A_RATE) : free;
                    user.request(due, recorder);
                    idle.add(user);
                });
            }
        });
        pacers.add(pacer);
        pacer.start();
    }

    /**
     * Lets further users make one request each, all at once.
     *
     * @throws ProcessException not all are answered in this time
     */
    public void once(String variant, int count, RequestRecorder recorder, Duration patience)
            throws InterruptedException {
        Callable<Boolean> request = () -> user(variant, PATIENCE).request(System.nanoTime(), () -> recorder);
        List<Future<Boolean>> requests =
                threads.invokeAll(Collections.nCopies(count, request), patience.toSeconds(), TimeUnit.SECONDS);
        if (requests.stream().anyMatch(Future::isCancelled)) {
            throw new ProcessException(
                    "The users of %s are not done after %d s.".formatted(variant, patience.toSeconds()));
        }
    }

    /** Makes no more requests, and returns when all that were made are answered. */
    @Override
    public void close() throws InterruptedException {
        ended = true;
        for (Thread pacer : pacers) {
            pacer.join();
        }
        threads.shutdown();
        if (!threads.awaitTermination(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("Requests are neither answered nor timed out.");
        }
        users.forEach(User::close);
    }
}
