package dev.chatterbox.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Stands for every service: healthy at once, and as the aggregator it answers right. One class, for it becomes a jar. */
final class FakeService {

    /** Environment variable: how the service named so is to fail. */
    static final String FAULT = "FAKE_FAULT";

    private FakeService() {}

    public static void main(String[] args) throws IOException {
        String jar = System.getProperty("java.class.path");
        String[] fault = System.getenv().getOrDefault(FAULT, "none never").split(" ");
        String how = jar.contains(fault[0]) ? fault[1] : "never";
        if (how.equals("dies")) {
            System.out.println("no luck today");
            System.exit(3);
        }
        HttpServer server = HttpServer.create(
                new InetSocketAddress(System.getenv("SERVER_ADDRESS"), Integer.parseInt(System.getenv("SERVER_PORT"))),
                0);
        server.createContext("/actuator/health", exchange -> answer(exchange, how.equals("hangs") ? 503 : 200, "{}"));
        server.createContext("/environment", exchange -> answer(exchange, 200, System.getenv("FAKE_URL")));
        server.createContext("/", exchange -> {
            if (how.equals("dies-when-asked")) {
                System.out.println("that was too much");
                System.exit(3);
            }
            answer(exchange, 200, "[{\"1\":1}]");
        });
        server.start();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
