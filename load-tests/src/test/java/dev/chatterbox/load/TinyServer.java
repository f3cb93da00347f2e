package dev.chatterbox.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * An aggregator whose transports do what their names say: {@code right} and {@code short}, {@code wrong}, {@code busy}
 * (503), {@code slow} (right after 100 ms), {@code silent} (never), {@code broken} (closes the connection),
 * {@code moved} (302), {@code some-wrong}.
 */
final class TinyServer implements AutoCloseable {

    static {
        // Without this, every answer in two writes waits 40 ms for the client's acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final Map<String, AtomicLong> requests = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> connections = new ConcurrentHashMap<>();
    private final Map<String, Boolean> ports = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    TinyServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    long requests(String transport) {
        return requests.getOrDefault(transport, new AtomicLong()).get();
    }

    long connections(String transport) {
        return connections.getOrDefault(transport, new LongAdder()).sum();
    }

    private void handle(HttpExchange exchange) throws IOException {
        if (exchange.getRequestURI().getPath().equals("/transports")) {
            answer(
                    exchange,
                    200,
                    "[{\"name\":\"right\",\"state\":\"up\"},{\"name\":\"gone\",\"state\":\"down\"},{\"name\":\"slow\",\"state\":\"up\"}]");
            return;
        }
        String[] path = exchange.getRequestURI().getPath().split("/");
        String transport = path[1];
        int calls = Integer.parseInt(path[path.length - 1]);
        long number =
                requests.computeIfAbsent(transport, name -> new AtomicLong()).incrementAndGet();
        if (ports.put(transport + exchange.getRemoteAddress().getPort(), true) == null) {
            connections.computeIfAbsent(transport, name -> new LongAdder()).increment();
        }
        String right = squares(calls);
        try {
            switch (transport) {
                case "right", "short" -> answer(exchange, 200, right);
                case "wrong" -> answer(exchange, 200, right.replace("{\"2\":4}", "{\"2\":5}"));
                case "some-wrong" ->
                    answer(exchange, 200, number % 10 == 0 ? right.replace("{\"2\":4}", "{\"2\":5}") : right);
                case "busy" -> answer(exchange, 503, "{\"status\":503}");
                case "moved" -> {
                    exchange.getResponseHeaders().add("Location", "/right/square/unary/" + calls);
                    answer(exchange, 302, "");
                }
                case "slow" -> {
                    closed.await(100, TimeUnit.MILLISECONDS);
                    answer(exchange, 200, right);
                }
                case "silent" -> closed.await();
                default -> exchange.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String squares(int calls) {
        StringBuilder answer = new StringBuilder("[");
        for (long n = 1; n <= calls; n++) {
            answer.append(n == 1 ? "" : ",")
                    .append("{\"")
                    .append(n)
                    .append("\":")
                    .append(n * n)
                    .append('}');
        }
        return answer.append(']').toString();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
