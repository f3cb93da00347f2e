package dev.chatterbox.resilience.load;

import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Users who request squares of one row again and again and check every answer. Each has a connection and a thread. */
public final class VerifiedLoad implements AutoCloseable {

    /** The kind of an error without an answer, for as long as a connection waits. */
    static final String SILENCE = "no answer";

    public static final String REFUSED = "refused";
    public static final String ENDED = "cut off";

    private static final long PAUSE_MILLIS = 10;

    /** Without this pause, a user whose requests are refused at once would make thousands of them in a second. */
    private static final long PAUSE_AFTER_ERROR_MILLIS = 100;

    /** The stack of a thread is small, because a user needs little and there may be a thousand users. */
    private static final long STACK_BYTES = 256 << 10;

    private final int port;
    private final String path;
    private final byte[] expected;
    private final RequestRecorder recorder;
    private final List<Thread> users;
    private volatile boolean ended;

    /**
     * Starts the users.
     *
     * @param port of the aggregator
     * @param calls the number of calls of a request
     * @param requests the number of requests of a user; 0 for no limit
     */
    public VerifiedLoad(int port, String row, int users, int calls, int requests, RequestRecorder recorder) {
        this.port = port;
        this.path = path(row, calls);
        this.expected = array(calls);
        this.recorder = recorder;
        this.users = IntStream.range(0, users)
                .mapToObj(user -> new Thread(null, () -> use(requests), "user-" + row + "-" + user, STACK_BYTES))
                .toList();
        this.users.forEach(user -> user.setDaemon(true));
        this.users.forEach(Thread::start);
    }

    public static String path(String row, int calls) {
        return "/%s/square/unary/%d".formatted(row, calls);
    }

    /** The right answer to a request with a number of calls. */
    static byte[] array(int calls) {
        return squares(calls).collect(Collectors.joining(",", "[", "]")).getBytes(StandardCharsets.US_ASCII);
    }

    /** The lines of the right answer, such as {@code {"3":9}}. */
    static Stream<String> squares(int calls) {
        return IntStream.rangeClosed(1, calls)
                .mapToObj(number -> "{\"%d\":%d}".formatted(number, (long) number * number));
    }

    private void use(int requests) {
        HttpConnection connection = null;
        try {
            for (int request = 0; !ended && (requests == 0 || request < requests); request++) {
                connection = request(connection);
                Thread.sleep(connection == null ? PAUSE_AFTER_ERROR_MILLIS : PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close(connection);
        }
    }

    /** @return the connection if the answer was right; otherwise null, so that the next request opens a new one */
    private @Nullable HttpConnection request(@Nullable HttpConnection open) {
        HttpConnection connection = open;
        long sent = System.nanoTime();
        try {
            if (connection == null) {
                connection = new HttpConnection(port, 0);
            }
            connection.send(path, HttpConnection.ARRAY);
            HttpConnection.Response response = connection.read();
            if (response.status() != 200) {
                recorder.error(Integer.toString(response.status()), reason(response.body()), sent);
            } else if (Arrays.equals(response.body(), expected)) {
                recorder.right(sent);
                return connection;
            } else {
                recorder.wrong(sent);
            }
        } catch (IOException e) {
            String kind =
                    e instanceof SocketTimeoutException ? SILENCE : e instanceof ConnectException ? REFUSED : ENDED;
            recorder.error(kind, e.toString(), sent);
        }
        close(connection);
        return null;
    }

    private static void close(@Nullable HttpConnection connection) {
        if (connection != null) {
            connection.close();
        }
    }

    /** The detail in a problem document, with # for each number. */
    static String reason(byte[] problem) {
        String text = new String(problem, StandardCharsets.UTF_8);
        try {
            text = JsonMapper.shared().readTree(text).path("detail").asString(text);
        } catch (JacksonException e) {
            // The body is no JSON, so all of it is the reason.
        }
        return text.replaceAll("\\d+", "#");
    }

    /** Waits until every user has made all requests. */
    public void join(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        for (Thread user : users) {
            user.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            if (user.isAlive()) {
                throw new ProcessException(
                        "The users of %s are not done after %d s.".formatted(path, patience.toSeconds()));
            }
        }
    }

    /** Returns when all requests that were sent have been answered. */
    @Override
    public void close() throws InterruptedException {
        ended = true;
        for (Thread user : users) {
            user.join();
        }
    }
}
