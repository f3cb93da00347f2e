package dev.chatterbox.resilience;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Clients of the aggregator that do not behave as others do. */
final class RudeClients {

    /** What the system takes for a client that does not read. */
    private static final int RECEIVE_BUFFER = 4096;

    /** Clients at the same time, of those that disconnect. */
    private static final int AT_ONCE = 100;

    private RudeClients() {}

    /**
     * Lets clients ask, read nothing for a while, and then all of it; every second one asks for lines.
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
                if (isForLines(client)) {
                    connection.sendForLines(path);
                } else {
                    connection.send(path);
                }
            }
            Thread.sleep(silence.toMillis());
            byte[] array = VerifiedLoad.squares(calls);
            Set<String> lines = IntStream.rangeClosed(1, calls)
                    .mapToObj(VerifiedLoad::square)
                    .collect(Collectors.toSet());
            long right = 0;
            for (int client = 0; client < clients; client++) {
                if (isRight(open.get(client), isForLines(client), array, lines)) {
                    right++;
                }
            }
            return right;
        } finally {
            for (HttpConnection connection : open) {
                connection.close();
            }
        }
    }

    private static boolean isForLines(int client) {
        return client % 2 == 1;
    }

    /** Lines come in the order in which the calls ended, each once. */
    private static boolean isRight(HttpConnection connection, boolean forLines, byte[] array, Set<String> lines) {
        try {
            HttpConnection.Response response = connection.read();
            if (response.status() != 200) {
                return false;
            }
            if (!forLines) {
                return Arrays.equals(response.body(), array);
            }
            List<String> got = new String(response.body(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
            return got.size() == lines.size()
                    && lines.containsAll(got)
                    && Set.copyOf(got).size() == lines.size();
        } catch (IOException e) {
            return false;
        }
    }

    /** Lets clients ask and go at once: half in order, and half with a reset. Returns when all have gone. */
    static void disconnect(int port, String path, int clients) throws IOException {
        for (int gone = 0; gone < clients; gone += AT_ONCE) {
            List<HttpConnection> open = new ArrayList<>();
            for (int client = 0; client < AT_ONCE; client++) {
                HttpConnection connection = new HttpConnection(port);
                open.add(connection);
                connection.send(path);
            }
            for (int client = 0; client < AT_ONCE; client++) {
                if (client % 2 == 0) {
                    open.get(client).close();
                } else {
                    open.get(client).closeWithReset();
                }
            }
        }
    }
}
