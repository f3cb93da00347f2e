package dev.chatterbox.network;

import dev.chatterbox.processes.ChildEnvironment;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Loopback;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The network of a running stack: a Toxiproxy with a proxy for each link. The distance delays only the answers, so
 * that a round trip has the delay once. The distance is always read from Toxiproxy itself, so that every command knows
 * it. Each request to Toxiproxy ends after five seconds, because it may be frozen: the client library
 * <a href="https://github.com/trekawek/toxiproxy-java">toxiproxy-java</a> would wait for ever.
 *
 * @param pid of Toxiproxy
 * @param port of its API
 * @param links the ports that it leads to; empty if only the distance is asked or set
 */
public record Toxiproxy(long pid, int port, List<NetworkLink> links) {

    /** The name of the process, whatever program it runs. */
    public static final String NAME = "network";

    public static final String HEALTH = "/version";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(10);
    private static final String DISTANCE = "distance";
    private static final String SILENCE = "silence";

    /** The program is not downloaded: the checksums of a release stand only beside it, so they prove nothing. */
    public static Program program() {
        return Program.of(
                        "toxiproxy-server",
                        "TOXIPROXY_BIN",
                        "https://github.com/Shopify/toxiproxy/releases",
                        Program.PATH)
                .built("github.com/Shopify/toxiproxy/v2/cmd/server", "v2.12.0");
    }

    /**
     * Starts the network of a plan, and returns when its ports accept connections.
     *
     * @param started called with the process as soon as it exists
     * @throws ProcessException this machine cannot have Toxiproxy, or it does not start
     */
    public static void start(
            NetworkPlan plan, List<NetworkLink> links, Path log, Lifetime lifetime, Consumer<ChildProcess> started) {
        ProcessBuilder builder = ChildEnvironment.builder(
                List.of(program().obtain().toString(), "-host", Loopback.HOST, "-port", Integer.toString(plan.port())));
        // Toxiproxy would otherwise log a line for each connection.
        builder.environment().put("LOG_LEVEL", "warn");
        ChildProcess process = ChildProcess.start(NAME, builder, log, lifetime);
        started.accept(process);
        process.awaitReady(() -> LocalHttp.get(plan.port(), HEALTH).status() == 200, START_TIMEOUT);
        Toxiproxy network = new Toxiproxy(process.pid(), plan.port(), links);
        for (NetworkLink link : links) {
            network.send(
                    "POST",
                    "/proxies",
                    Map.of(
                            "name", link.name(),
                            "listen", Loopback.authority(link.port()),
                            "upstream", Loopback.authority(link.behind())));
            // The toxic exists at 0 ms too, so that a proxy costs the same at every distance.
            network.send(
                    "POST",
                    toxics(link.name()),
                    Map.of("name", DISTANCE, "type", "latency", "attributes", latency(plan.distanceMillis())));
        }
    }

    /** The round-trip time that it adds to each link now, in milliseconds. */
    public int distanceMillis() {
        return proxies().stream()
                .flatMap(proxy -> proxy.path("toxics").valueStream())
                .filter(toxic -> toxic.path("name").asString().equals(DISTANCE))
                .findFirst()
                .map(toxic -> toxic.at("/attributes/latency").asInt())
                .orElse(0);
    }

    /**
     * Sets another distance for all links, also for open connections, and returns when the distance holds.
     *
     * @throws ProcessException the network did not do so; the message says why
     */
    public void setDistance(int millis) {
        proxies().forEach(proxy -> setDistance(proxy.path("name").asString(), millis));
    }

    /** Sets the distance of one link alone; connections that are open get it too. */
    public void setDistance(String link, int millis) {
        send("PATCH", toxics(link) + "/" + DISTANCE, Map.of("attributes", latency(millis)));
    }

    /** Ends all connections of a link, and refuses new ones. */
    public void cut(String link) {
        send("POST", "/proxies/" + link, Map.of("enabled", false));
    }

    /** Lets clients connect over a link that was cut. */
    public void join(String link) {
        send("POST", "/proxies/" + link, Map.of("enabled", true));
    }

    /** Loses all answers on a link: requests still arrive, and the connections stay open. */
    public void silence(String link) {
        send("POST", toxics(link), Map.of("name", SILENCE, "type", "timeout", "attributes", Map.of("timeout", 0)));
    }

    /** Heals a silenced link: ends its connections, because they miss the lost answers; new connections work. */
    public void unsilence(String link) {
        send("DELETE", toxics(link) + "/" + SILENCE, Map.of());
    }

    private static String toxics(String link) {
        return "/proxies/" + link + "/toxics";
    }

    private static Map<String, Integer> latency(int millis) {
        return Map.of("latency", millis);
    }

    private List<JsonNode> proxies() {
        return List.copyOf(send("GET", "/proxies", Map.of()).values());
    }

    private JsonNode send(String method, String path, Map<String, Object> json) {
        try {
            LocalHttp.Answer answer =
                    LocalHttp.send(method, port, path, JsonMapper.shared().writeValueAsString(json));
            if (answer.status() >= 300) {
                throw failed("%s %s: %d %s".formatted(method, path, answer.status(), answer.body()));
            }
            return JsonMapper.shared().readTree(answer.body());
        } catch (IOException e) {
            throw failed(e.toString());
        }
    }

    private static ProcessException failed(String why) {
        return new ProcessException("The network did not do what was requested: " + why);
    }
}
