package dev.chatterbox.control;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.chatterbox.processes.Loopback;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Control;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.variants.VariantException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Does for the live page what the aggregator cannot do: shows the state of the processes, makes faults, heals, and
 * makes load. It listens on 127.0.0.1 only, and answers only the page of its own stack ({@link Guard}).
 *
 * <pre>
 * GET    /state                    processes and load, once a second
 * POST   /fault   {"fault":"freeze","process":"nats"}, {"fault":"wrong","value":0.01}, {"fault":"heal"} …
 * POST   /load    {"variants":["nats"],"calls":100,"users":50,"seconds":20}
 * DELETE /load
 * GET    /results/NAME/report.html  no secret, so it needs no token
 * </pre>
 */
public final class ControlServer implements AutoCloseable {

    private static final int MOST_BYTES = 4096;
    private static final int THREADS = 8;
    private static final Pattern REPORT = Pattern.compile("/results/([0-9A-Za-z-]+)/report\\.html");

    /** The policy fits the report, which is one file that loads nothing. */
    private static final String REPORT_POLICY =
            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final JsonMapper JSON = JsonMapper.shared();

    private final StackFaults faults;
    private final Stack stack;
    private final LiveLoad load;
    private final Guard guard;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    private ControlServer(StackFaults faults, Class<?> main) throws IOException {
        this.faults = faults;
        this.stack = faults.stack();
        this.load = new LiveLoad(stack, main);
        int port = Control.port(stack);
        this.guard = new Guard(port, Control.pagePort(stack), stack.state().controlToken());
        this.server = HttpServer.create(Loopback.socket(port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
    }

    /**
     * Starts the service on its port in the stack.
     *
     * @param main the main class of the program that makes the load
     */
    public static ControlServer start(StackFaults faults, Class<?> main) throws IOException {
        ControlServer control = new ControlServer(faults, main);
        control.server.start();
        return control;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers answer = exchange.getResponseHeaders();
            answer.set("X-Content-Type-Options", "nosniff");
            answer.set("Cache-Control", "no-store");
            answer.set("Vary", "Origin");
            guard.origin(exchange.getRequestHeaders())
                    .ifPresent(origin -> answer.set("Access-Control-Allow-Origin", origin));
            try {
                route(exchange, exchange.getRequestURI().getPath());
            } catch (UsageException | JacksonException e) {
                refuse(exchange, 400, String.valueOf(e.getMessage()));
            } catch (ProcessException | VariantException e) {
                refuse(exchange, 409, String.valueOf(e.getMessage()));
            } catch (RuntimeException e) {
                refuse(exchange, 500, e.toString());
            }
        }
    }

    private void route(HttpExchange exchange, String path) throws IOException {
        Matcher report = REPORT.matcher(path);
        String method = exchange.getRequestMethod();
        if (!guard.isMeant(exchange.getRequestHeaders())) {
            refuse(exchange, 421, "This service is for the live page on this machine.");
        } else if (path.equals(Control.HEALTH)) {
            send(exchange, 200, Map.of("status", "UP"));
        } else if (method.equals("GET") && report.matches()) {
            sendReport(exchange, report.group(1));
        } else if (method.equals("OPTIONS")) {
            allow(exchange);
        } else if (!guard.permits(exchange.getRequestHeaders())) {
            refuse(exchange, 403, "Open the address that ./chatterbox up printed: it has the token.");
        } else {
            act(exchange, method + " " + path);
        }
    }

    /** Answers the preflight request that a browser makes before it sends a token. */
    private void allow(HttpExchange exchange) throws IOException {
        if (guard.origin(exchange.getRequestHeaders()).isPresent()) {
            exchange.getResponseHeaders().set("Access-Control-Allow-Methods", "GET, POST, DELETE");
            exchange.getResponseHeaders().set("Access-Control-Allow-Headers", "Authorization, Content-Type");
            exchange.getResponseHeaders().set("Access-Control-Max-Age", "600");
        }
        exchange.sendResponseHeaders(204, -1);
    }

    private void act(HttpExchange exchange, String what) throws IOException {
        switch (what) {
            case "GET /state" -> send(exchange, 200, state());
            case "POST /fault" -> send(exchange, 200, Map.of("done", fault(body(exchange))));
            case "POST /load" -> {
                load.start(LoadRequest.of(body(exchange), stack.repository().variants()));
                send(exchange, 202, state());
            }
            case "DELETE /load" -> {
                load.stop();
                send(exchange, 202, state());
            }
            default -> refuse(exchange, 404, "There is no " + what + ".");
        }
    }

    /** What the page shows of the stack. */
    private record StackAndLoad(StackStatus stack, LiveLoad.@Nullable Progress load) {}

    private StackAndLoad state() {
        return new StackAndLoad(StackStatus.atOnce(stack), load.progress().orElse(null));
    }

    private List<String> fault(JsonNode request) throws IOException {
        String fault = request.path("fault").asString("");
        String process = request.path("process").asString("");
        if (process.equals(Control.NAME)) {
            throw new UsageException("The control service can do nothing to itself: "
                    + stack.command("fault " + fault + " " + Control.NAME));
        }
        String responder = request.path("responder").stringValue(null);
        return faults.make(fault, process, request.path("value"), responder, Steps.SILENT);
    }

    private void sendReport(HttpExchange exchange, String run) throws IOException {
        Path report = stack.repository().results().resolve(run).resolve("report.html");
        if (!Files.isRegularFile(report)) {
            refuse(exchange, 404, "There is no report of " + run + ".");
            return;
        }
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        exchange.getResponseHeaders().set("Content-Security-Policy", REPORT_POLICY);
        exchange.sendResponseHeaders(200, Files.size(report));
        Files.copy(report, exchange.getResponseBody());
    }

    private static JsonNode body(HttpExchange exchange) throws IOException {
        String type = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type"));
        if (!type.equals("application/json")) {
            // Forms of any page can send other types, and the browser makes no preflight request for those.
            throw new UsageException("The body must be application/json.");
        }
        byte[] bytes = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new UsageException("The body must have at most %d bytes.".formatted(MOST_BYTES));
        }
        return JSON.readTree(bytes);
    }

    private static void refuse(HttpExchange exchange, int status, String why) throws IOException {
        send(exchange, status, Map.of("error", why));
    }

    private static void send(HttpExchange exchange, int status, Object body) throws IOException {
        byte[] bytes = JSON.writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** Also ends a load that the service started. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        load.close();
    }
}
