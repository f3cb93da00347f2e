package dev.chatterbox.resilience;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Clients of the aggregator that do not behave as others do. */
final class RudeClients {

    /** What the system takes for a client that does not read. */
    private static final int RECEIVE_BUFFER = 4096;

    /** Clients at the same time, of those that disconnect. */
    private static final int AT_ONCE = 100;

    private RudeClients() {}

    /**
     * Lets clients send a request, read nothing for a while, and then all of it; every second one accepts lines.
     *
     * @return how many of them got the whole answer, and a right one
     */
    static long readSlowly(int port, String path, int calls, int clients, Duration silence)
            throws IOException, InterruptedException {
        List<HttpConnection> open = new ArrayList<>();
        try {
            for (int client = 0; client < clients; client++) {
                HttpConnection connection = new HttpConnection(port, RECEIVE_BUFFER);
                open.add(connection);
                connection.send(path, acceptsLines(client) ? HttpConnection.LINES : HttpConnection.ARRAY);
            }
            Thread.sleep(silence.toMillis());
            long right = 0;
            for (int client = 0; client < clients; client++) {
                if (isRight(open.get(client), acceptsLines(client), calls)) {
                    right++;
                }
            }
            return right;
        } finally {
            open.forEach(HttpConnection::close);
        }
    }

    private static boolean acceptsLines(int client) {
        return client % 2 == 1;
    }

    /** Lines come in the order in which the calls ended, each once. */
    private static boolean isRight(HttpConnection connection, boolean lines, int calls) {
        try {
            HttpConnection.Response response = connection.read();
            return response.status() == 200
                    && (lines
                            ? new String(response.body(), StandardCharsets.US_ASCII)
                                    .lines()
                                    .sorted()
                                    .toList()
                                    .equals(VerifiedLoad.squares(calls).sorted().toList())
                            : Arrays.equals(response.body(), VerifiedLoad.array(calls)));
        } catch (IOException e) {
            return false;
        }
    }

    /** Lets clients send a request and go at once: half in order, and half with a reset. Returns when all have gone. */
    static void disconnect(int port, String path, int clients) throws IOException {
        for (int gone = 0; gone < clients; gone += AT_ONCE) {
            List<HttpConnection> open = new ArrayList<>();
            for (int client = 0; client < AT_ONCE; client++) {
                HttpConnection connection = new HttpConnection(port, 0);
                open.add(connection);
                connection.send(path, HttpConnection.ARRAY);
            }
            for (int client = 0; client < AT_ONCE; client += 2) {
                open.get(client).close();
                open.get(client + 1).reset();
            }
        }
    }
}
