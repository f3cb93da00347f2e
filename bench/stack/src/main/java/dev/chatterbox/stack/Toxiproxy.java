package dev.chatterbox.stack;

import dev.chatterbox.comparison.Network;
import dev.chatterbox.comparison.NetworkLink;
import dev.chatterbox.comparison.Target;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.Program;
import dev.chatterbox.processes.ProgramSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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
    private static final String SILENCE = "silence";

    // What little is read of its JSON: its fields have this order.
    private static final Pattern PROXY =
            Pattern.compile("\"name\":\"([^\"]+)\",\"listen\":\"[^\"]*:(\\d+)\",\"upstream\":\"[^\"]*:(\\d+)\"");

    private static final Pattern LATENCY = Pattern.compile("\"latency\":(\\d+)");

    /** No download: the checksums of a release stand beside it only, so they prove nothing. */
    public static Program program() {
        return new Program(
                "toxiproxy-server",
                ProgramSource.variable("TOXIPROXY_BIN"),
                ProgramSource.path("macOS: brew install shopify/shopify/toxiproxy"),
                ProgramSource.goInstall("github.com/Shopify/toxiproxy/v2/cmd/server", "v2.12.0"));
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
        network.send(
                "POST",
                "/populate",
                plan.links().stream()
                        .map(link -> "{\"name\":\"%s\",\"listen\":\"127.0.0.1:%d\",\"upstream\":\"127.0.0.1:%d\"}"
                                .formatted(link.name(), plan.before(link.port()), link.port()))
                        .collect(Collectors.joining(",", "[", "]")));
        // Also one of 0 ms: what a proxy costs is then the same at every distance.
        for (PlannedLink link : plan.links()) {
            network.send(
                    "POST",
                    toxics(link.name()),
                    "{\"name\":\"%s\",\"type\":\"latency\",%s}".formatted(DISTANCE, latency(plan.distanceMillis())));
        }
    }

    private static String latency(int millis) {
        return "\"attributes\":{\"latency\":%d}".formatted(millis);
    }

    /** A proxy as it tells of it. */
    private record Told(String name, int listen, int upstream) {}

    @Override
    public List<NetworkLink> links() {
        List<NetworkLink> links = new ArrayList<>();
        for (Told proxy : proxies()) {
            planned.stream()
                    .filter(link -> link.port() == proxy.upstream)
                    .forEach(link -> links.add(
                            new NetworkLink(link.name(), proxy.listen, proxy.upstream, link.probe(), link.rows())));
        }
        return links;
    }

    @Override
    public int distanceMillis() {
        Matcher latency = LATENCY.matcher(told());
        return latency.find() ? Integer.parseInt(latency.group(1)) : 0;
    }

    @Override
    public void setDistance(int millis) {
        proxies().forEach(proxy -> setDistance(proxy.name, millis));
    }

    /** Sets the distance of one link alone, also of connections that are open. */
    public void setDistance(String link, int millis) {
        send("PATCH", toxics(link) + "/" + DISTANCE, "{%s}".formatted(latency(millis)));
    }

    /** Ends all connections of a link, and lets nobody connect. */
    public void cut(String link) {
        send("POST", "/proxies/" + link, "{\"enabled\":false}");
    }

    /** Lets clients connect over a link that was cut. */
    public void join(String link) {
        send("POST", "/proxies/" + link, "{\"enabled\":true}");
    }

    /** What is sent over a link arrives, and what comes back is lost, while its connections stay. */
    public void silence(String link) {
        send(
                "POST",
                toxics(link),
                "{\"name\":\"%s\",\"type\":\"timeout\",\"attributes\":{\"timeout\":0}}".formatted(SILENCE));
    }

    /** Ends the connections of a link that was silenced, for what was lost is missing in them; new ones are whole. */
    public void unsilence(String link) {
        send("DELETE", toxics(link) + "/" + SILENCE, "");
    }

    private static String toxics(String link) {
        return "/proxies/" + link + "/toxics";
    }

    private List<Told> proxies() {
        return PROXY.matcher(told())
                .results()
                .map(proxy ->
                        new Told(proxy.group(1), Integer.parseInt(proxy.group(2)), Integer.parseInt(proxy.group(3))))
                .toList();
    }

    private String told() {
        try {
            return LocalHttp.get(process.port(), "/proxies").body();
        } catch (IOException e) {
            throw failed(e.toString());
        }
    }

    private void send(String method, String path, String json) {
        try {
            LocalHttp.Answer answer = LocalHttp.send(method, process.port(), path, json);
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
