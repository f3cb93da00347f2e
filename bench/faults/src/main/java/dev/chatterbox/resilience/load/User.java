package dev.chatterbox.resilience.load;

import dev.chatterbox.processes.LocalHttp;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests, and checks every answer byte for byte. It has a connection of its own, which lasts as long as the
 * answers are right. For one thread at a time.
 */
public final class User {

    /** The kind of an error without an answer, for as long as a connection waits. */
    static final String SILENCE = "no answer";

    public static final String REFUSED = "refused";
    public static final String ENDED = "cut off";

    private final int port;
    private final String path;
    private final byte[] expected;
    private final Duration patience;
    private @Nullable HttpConnection connection;

    User(int port, String path, byte[] expected, Duration patience) {
        this.port = port;
        this.path = path;
        this.expected = expected;
        this.patience = patience;
    }

    /**
     * Makes a request, and notes how it ends.
     *
     * @param due when the request was due, by {@link System#nanoTime}
     * @return whether the answer was right
     */
    boolean request(long due, Supplier<RequestRecorder> recorder) {
        try {
            HttpConnection open = connection == null ? new HttpConnection(port, patience) : connection;
            connection = open;
            HttpConnection.Response response = open.get(path);
            if (response.status() != 200) {
                recorder.get().error(Integer.toString(response.status()), reason(response.body()), due);
            } else if (Arrays.equals(response.body(), expected)) {
                recorder.get().right(due);
                return true;
            } else {
                recorder.get().wrong(due);
            }
        } catch (IOException e) {
            String kind =
                    e instanceof SocketTimeoutException ? SILENCE : e instanceof ConnectException ? REFUSED : ENDED;
            recorder.get().error(kind, e.toString(), due);
        }
        close();
        return false;
    }

    /** The detail in a problem document, with # for each number. */
    private static String reason(byte[] problem) {
        return LocalHttp.detail(new String(problem, StandardCharsets.UTF_8)).replaceAll("\\d+", "#");
    }

    void close() {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }
}
