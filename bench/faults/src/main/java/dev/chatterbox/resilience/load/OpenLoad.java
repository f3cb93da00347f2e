package dev.chatterbox.resilience.load;

import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Requests at a fixed rate, whether or not the ones before are answered; every answer is checked byte for byte. The time
 * of an answer counts from the moment when its request was due. An answer belongs to the phase in which it comes.
 */
public final class OpenLoad implements AutoCloseable {

    /** Longer than any deadline of a call. */
    private static final Duration SILENCE_AFTER = Duration.ofSeconds(20);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpRequest request;
    private final byte[] expected;
    private final double nanosBetween;
    private final Thread sender = new Thread(this::send, "open-load");

    /** The requests without an answer, and this object itself. */
    private final Phaser open = new Phaser(1);

    private volatile RequestRecorder recorder = new RequestRecorder();
    private volatile boolean ended;

    /**
     * Starts the load.
     *
     * @param port of the aggregator
     * @param calls the number of calls of a request
     * @param rate requests a second
     */
    public OpenLoad(int port, String row, int calls, double rate) {
        request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + VerifiedLoad.path(row, calls)))
                .timeout(SILENCE_AFTER)
                .build();
        expected = VerifiedLoad.array(calls);
        nanosBetween = 1e9 / rate;
        sender.setDaemon(true);
        sender.start();
    }

    /** Begins a phase: its recorder gets the answers from now on. */
    public RequestRecorder nextPhase() {
        RequestRecorder next = new RequestRecorder();
        recorder = next;
        return next;
    }

    private void send() {
        long start = System.nanoTime();
        for (long sent = 0; !ended; sent++) {
            long due = start + (long) (sent * nanosBetween);
            for (long left = due - System.nanoTime(); left > 0 && !ended; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            open.register();
            client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()).whenComplete((response, error) -> {
                note(due, response, error);
                open.arriveAndDeregister();
            });
        }
    }

    private void note(long due, @Nullable HttpResponse<byte[]> response, @Nullable Throwable error) {
        RequestRecorder now = recorder;
        if (response == null) {
            @Nullable Throwable cause = error instanceof CompletionException wrapped ? wrapped.getCause() : error;
            String kind = cause instanceof ConnectException
                    ? VerifiedLoad.REFUSED
                    : cause instanceof HttpTimeoutException ? VerifiedLoad.SILENCE : VerifiedLoad.ENDED;
            now.error(kind, String.valueOf(cause), due);
        } else if (response.statusCode() != 200) {
            now.error(Integer.toString(response.statusCode()), VerifiedLoad.reason(response.body()), due);
        } else if (Arrays.equals(response.body(), expected)) {
            now.right(due);
        } else {
            now.wrong(due);
        }
    }

    /** Sends no more, and returns when all that was sent is answered. */
    @Override
    public void close() throws InterruptedException {
        ended = true;
        sender.join();
        try {
            open.awaitAdvanceInterruptibly(open.arrive(), 2 * SILENCE_AFTER.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("Requests are neither answered nor timed out.", e);
        }
    }
}
