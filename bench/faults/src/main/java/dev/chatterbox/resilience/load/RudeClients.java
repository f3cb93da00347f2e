package dev.chatterbox.resilience.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Clients of the aggregator that behave badly. */
public final class RudeClients {

    /** Bytes that the system accepts for a client that does not read. */
    private static final int RECEIVE_BUFFER = 4096;

    /** The number of clients that connect at the same time before they disconnect. */
    private static final int AT_ONCE = 100;

    private RudeClients() {}

    /**
     * Lets clients send a request, read nothing for a while, and then read all. Every second client accepts lines.
     *
     * @return how many clients got a complete and right answer
     */
    public static long readSlowly(int port, String variant, int calls, int clients, Duration silence)
            throws IOException, InterruptedException {
        List<HttpConnection> open = new ArrayList<>();
        try {
            for (int client = 0; client < clients; client++) {
                open.add(new HttpConnection(port, CheckedLoad.PATIENCE, RECEIVE_BUFFER));
                open.get(client)
                        .send(
                                Squares.path(variant, calls),
                                acceptsLines(client) ? HttpConnection.LINES : HttpConnection.ARRAY);
            }
            TimeUnit.NANOSECONDS.sleep(silence.toNanos());
            long right = 0;
            for (int client = 0; client < clients; client++) {
                right += isRight(open.get(client), acceptsLines(client), calls) ? 1 : 0;
            }
            return right;
        } finally {
            open.forEach(HttpConnection::close);
        }
    }

    private static boolean acceptsLines(int client) {
        return client % 2 == 1;
    }

    /** The lines may be in any order, because the calls end in any order, but each must be there once. */
    private static boolean isRight(HttpConnection connection, boolean lines, int calls) {
        try {
            HttpConnection.Response response = connection.read();
            return response.status() == 200
                    && (lines
                            ? sorted(new String(response.body(), StandardCharsets.US_ASCII).lines())
                                    .equals(sorted(Squares.lines(calls)))
                            : Arrays.equals(response.body(), Squares.array(calls)));
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> sorted(Stream<String> lines) {
        return lines.sorted().toList();
    }

    /** Lets clients send a request and disconnect, half in order and half with a reset. Returns when all are gone. */
    public static void disconnect(int port, String variant, int calls, int clients) throws IOException {
        for (int gone = 0; gone < clients; gone += AT_ONCE) {
            List<HttpConnection> open = new ArrayList<>();
            try {
                for (int client = gone; client < Math.min(clients, gone + AT_ONCE); client++) {
                    HttpConnection connection = new HttpConnection(port, CheckedLoad.PATIENCE, 0);
                    open.add(connection);
                    connection.send(Squares.path(variant, calls), HttpConnection.ARRAY);
                }
            } finally {
                for (int client = 0; client < open.size(); client++) {
                    if (client % 2 == 0) {
                        open.get(client).close();
                    } else {
                        open.get(client).reset();
                    }
                }
            }
        }
    }
}
