package dev.chatterbox.cli.stack;

import dev.chatterbox.comparison.Network;
import dev.chatterbox.comparison.NetworkLink;
import dev.chatterbox.comparison.Target;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.Program;
import dev.chatterbox.processes.Way;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The network of a running stack: a Toxiproxy with a proxy for each link. The distance is a delay of what comes back,
 * so that it is paid once in a round trip. Toxiproxy itself is asked what it is set to, so that every command knows.
 *
 * @param process its own
 * @param planned the links that the stack's rows have
 */
public record Toxiproxy(Target.Process process, List<PlannedLink> planned) implements Network {

    /** Of the process, whatever program it runs. */
    static final String NAME = "network";

    static final String HEALTH = "/version";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(10);
    private static final String DISTANCE = "distance";
    private static final JsonMapper JSON = JsonMapper.shared();

    /** No download: the checksums of a release stand beside it only, so they prove nothing. */
    public static Program program() {
        return Program.named("toxiproxy-server")
                .from(
                        Way.variable("TOXIPROXY_BIN"),
                        Way.path("macOS: brew install shopify/shopify/toxiproxy"),
                        Way.goInstall("github.com/Shopify/toxiproxy/v2/cmd/server", "v2.12.0"));
    }

    /**
     * Starts the network of a plan, and returns when its ports are there.
     *
     * @param started called with the process as soon as it exists
     * @throws ProcessException it cannot be had on this machine, or does not start
     */
    static void start(NetworkPlan plan, Path log, Lifetime lifetime, Consumer<ChildProcess> started) {
        ProcessBuilder builder = new ProcessBuilder(
                program().obtain().toString(), "-host", "127.0.0.1", "-port", Integer.toString(plan.port()));
        // Without a line for each connection.
        builder.environment().put("LOG_LEVEL", "warn");
        ChildProcess process = ChildProcess.start(NAME, builder, log, lifetime);
        started.accept(process);
        process.awaitReady(() -> LocalHttp.get(plan.port(), HEALTH).status() == 200, START_TIMEOUT);
        Toxiproxy network = new Toxiproxy(new Target.Process(NAME, process.pid(), plan.port()), plan.links());
        List<Map<String, Object>> proxies = new ArrayList<>();
        plan.links()
                .forEach(link -> proxies.add(Map.of(
                        "name", link.name(),
                        "listen", "127.0.0.1:" + plan.before(link.port()),
                        "upstream", "127.0.0.1:" + link.port())));
        network.send("POST", "/populate", proxies);
        // Also one of 0 ms: what a proxy costs is then the same at every distance.
        for (PlannedLink link : plan.links()) {
            network.send(
                    "POST",
                    "/proxies/" + link.name() + "/toxics",
                    Map.of("name", DISTANCE, "type", "latency", "attributes", latency(plan.distanceMillis())));
        }
    }

    private static Map<String, Integer> latency(int millis) {
        return Map.of("latency", millis);
    }

    @Override
    public List<NetworkLink> links() {
        JsonNode proxies = proxies();
        List<NetworkLink> links = new ArrayList<>();
        for (PlannedLink link : planned) {
            proxies.values().forEach(proxy -> {
                if (port(proxy, "upstream") == link.port()) {
                    links.add(new NetworkLink(
                            link.name(), port(proxy, "listen"), link.port(), link.question(), link.rows()));
                }
            });
        }
        return links;
    }

    private static int port(JsonNode proxy, String end) {
        String address = proxy.path(end).asString("");
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    @Override
    public int distanceMillis() {
        return proxies().values().stream()
                .flatMap(proxy -> proxy.path("toxics").values().stream())
                .filter(toxic -> toxic.path("name").asString("").equals(DISTANCE))
                .mapToInt(toxic -> toxic.at("/attributes/latency").asInt(0))
                .max()
                .orElse(0);
    }

    @Override
    public void setDistance(int millis) {
        proxies()
                .propertyNames()
                .forEach(name -> send(
                        "PATCH", "/proxies/" + name + "/toxics/" + DISTANCE, Map.of("attributes", latency(millis))));
    }

    private JsonNode proxies() {
        try {
            return JSON.readTree(LocalHttp.get(process.port(), "/proxies").body());
        } catch (IOException e) {
            throw failed(e.toString());
        }
    }

    private void send(String method, String path, Object json) {
        try {
            LocalHttp.Answer answer = LocalHttp.send(method, process.port(), path, JSON.writeValueAsString(json));
            if (answer.status() >= 300) {
                throw failed("%s %s: %d %s".formatted(method, path, answer.status(), answer.body()));
            }
        } catch (IOException e) {
            throw failed(e.toString());
        }
    }

    private static ProcessException failed(String why) {
        return new ProcessException("The network does not do what it is told: " + why);
    }
}
