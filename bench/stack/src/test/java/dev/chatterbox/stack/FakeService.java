package dev.chatterbox.stack;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A fake of every service: it is healthy at once, and as the aggregator it answers right. It is one class, to be a jar.
 */
public final class FakeService {

    /** The environment variable with the name of a service, a blank, and the way in which that service fails. */
    public static final String FAULT = "CHATTERBOX_FAKE_FAULT";

    private static final String MARK = "chatterbox.process";

    private FakeService() {}

    public static void main(String[] args) throws IOException {
        String[] fault = System.getenv().getOrDefault(FAULT, "none never").split(" ");
        String how = name(args).equals(fault[0]) ? fault[1] : "never";
        if (how.equals("dies")) {
            System.out.println("no luck today");
            System.exit(3);
        }
        HttpServer server = HttpServer.create(
                new InetSocketAddress(System.getenv("SERVER_ADDRESS"), Integer.parseInt(System.getenv("SERVER_PORT"))),
                0);
        for (String health : List.of("/actuator/health", "/well")) {
            server.createContext(health, exchange -> answer(exchange, how.equals("hangs") ? 503 : 200, "{}"));
        }
        server.createContext("/actuator/info", exchange -> answer(exchange, 200, "{}"));
        server.createContext("/name", exchange -> answer(exchange, 200, name(args)));
        server.createContext("/arguments", exchange -> answer(exchange, 200, String.join("\n", args)));
        server.createContext("/environment/", exchange -> {
            String variable = exchange.getRequestURI().getPath().substring("/environment/".length());
            answer(exchange, 200, System.getenv().getOrDefault(variable, "none"));
        });
        server.createContext("/", exchange -> {
            if (how.equals("dies-when-asked")) {
                System.out.println("that was too much");
                System.exit(3);
            }
            answer(exchange, 200, "[{\"1\":1}]");
        });
        server.start();
    }

    /** The name in the mark that the service was started with: a system property in Java, else an argument. */
    private static String name(String[] args) {
        for (String argument : args) {
            if (argument.startsWith("--" + MARK + "=")) {
                return argument.substring(MARK.length() + 3);
            }
        }
        return System.getProperty(MARK, "");
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
