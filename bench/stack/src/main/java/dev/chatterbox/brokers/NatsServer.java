package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildEnvironment;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.programs.Program;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * nats-server with its defaults, found or fetched as {@link #origin} says. JetStream is on: without a stream, no cost
 * of it could be measured. JetStream stores its data in the server's folder.
 *
 * <p>Roles: {@code client}, {@code monitor} (HTTP), and {@code routes} (for the other nodes of a cluster).
 */
public class NatsServer extends Broker {

    private static final Probe PROBE = new Probe("CONNECT {\"verbose\":false}\r\nPING\r\n", "PONG");

    private static final String BUILT_VERSION = "v2.15.2";

    // This is older than the built version: a release's checksums stand only beside it, so they prove nothing. These
    // are from nats-io/nats-docker, another repository of the project, which has no newer version.
    private static final String DOWNLOADED_VERSION = "v2.14.5";

    private static final Map<String, String> SHA_256 = Map.of(
            "linux-amd64.tar.gz", "5e3b603d47c447bda1f77f9ac16dbf91c90aac4ff3681f8fbbc7201e4ed99355",
            "linux-arm64.tar.gz", "673a98d3faa79dde3f9ebf16d6dfac36a5f694e7ad2015e4954dd7939c85cd4c",
            "linux-arm6.tar.gz", "e0c6a5ce708c7a57cae5008805397046f6502c627cdc00bfff33af0929d07d50",
            "linux-ppc64le.tar.gz", "5d8f1a264a3bc4b30899814ae8e898b1268e817074635adddd24b32f388e4cc4",
            "linux-s390x.tar.gz", "829193e8c592e0df5f15402c27417df18d26503d22b77dfc9491982fe0b51a67");

    private static final String RELEASES = "https://github.com/nats-io/nats-server/releases/download";

    private static final String CONFIGURATION = "nats-server.conf";

    private static final Pattern VERSION = Pattern.compile("\"version\":\"([^\"]+)\"");

    private final Program program = program(RELEASES, SHA_256);

    private final String syncInterval;

    public NatsServer() {
        this("nats", Map.of("client", 4222, "monitor", 8222), "2m");
    }

    /** @param syncInterval after which JetStream syncs what it has written to the disk; by the server's default 2m */
    NatsServer(String name, Map<String, Integer> ports, String syncInterval) {
        super(name, "nats-server", PROBE, ports);
        this.syncInterval = syncInterval;
    }

    /**
     * The program for this machine.
     *
     * @param releases the address of the folder that contains the versions' folders
     * @param sha256 checksums of the archives, by the end of their names
     */
    static Program program(String releases, Map<String, String> sha256) {
        return Program.of(
                        "nats-server",
                        "NATS_SERVER_BIN",
                        "https://github.com/nats-io/nats-server/releases",
                        Program.PATH)
                .built("github.com/nats-io/nats-server/v2", BUILT_VERSION)
                .downloaded(
                        DOWNLOADED_VERSION,
                        "6 MB",
                        "%s/%s/nats-server-%s-".formatted(releases, DOWNLOADED_VERSION, DOWNLOADED_VERSION),
                        sha256);
    }

    @Override
    public String origin() {
        return program.origin();
    }

    @Override
    public void obtain() {
        program.obtain();
    }

    @Override
    public Map<String, String> environment(List<Map<String, Integer>> nodes) {
        String servers = clientAddresses("nats://", nodes);
        // A stream has as many replicas as there are nodes.
        return nodes.size() == 1
                ? Map.of("NATS_SERVER", servers)
                : Map.of("NATS_SERVER", servers, "NATS_REPLICAS", Integer.toString(nodes.size()));
    }

    @Override
    public boolean clusters() {
        return true;
    }

    @Override
    Map<String, Integer> furtherPortsOfNodes() {
        return Map.of("routes", 6222);
    }

    @Override
    protected Map<String, String> files(Node node) {
        String server = resource("nats-server.conf", node).replace("${sync interval}", syncInterval);
        return Map.of(CONFIGURATION, node.isOfCluster() ? server + cluster(node) : server);
    }

    private static String cluster(Node node) {
        String routes = node.addresses("routes").stream()
                .map("\"nats-route://%s\""::formatted)
                .collect(Collectors.joining(", "));
        return resource("nats-cluster.conf", node).replace("${all routes}", routes);
    }

    @Override
    protected ProcessBuilder command(Node node) {
        return ChildEnvironment.builder(List.of(program.obtain().toString(), "--config", CONFIGURATION));
    }

    @Override
    public String version(Node node, long pid) throws IOException {
        String greeting = new Probe("", "\r\n").answer(node.port("client"), Duration.ofSeconds(1));
        return find(VERSION, greeting, "nats-server does not say its version: " + greeting)
                .group(1);
    }

    /** Core NATS has no leader: for its variants it is the leader of JetStream's administration. */
    @Override
    public Leaders leaders(Node node, Map<String, String> address) throws IOException {
        String all = LocalHttp.get(node.port("monitor"), "/jsz?accounts=true&streams=true")
                .body();
        String stream = address.getOrDefault("stream", "");
        String who =
                stream.isEmpty() ? "\"meta_cluster\"" : "\"name\":\\s*\"%s-file\"".formatted(Pattern.quote(stream));
        Pattern leader = Pattern.compile(who + ".*?\"leader\":\\s*\"nats-([1-9])\"", Pattern.DOTALL);
        String led = stream.isEmpty() ? "JetStream" : stream;
        String number =
                find(leader, all, "no nats-server is the leader of " + led).group(1);
        String what = stream.isEmpty() ? led : "the stream %s-file".formatted(stream);
        return new Leaders(Integer.parseInt(number), "nats-%s leads %s".formatted(number, what));
    }

    /** A node of a cluster is healthy when it knows the leader of JetStream, and has caught up with its streams. */
    @Override
    protected boolean isReady(Node node) throws IOException {
        return node.isOfCluster()
                ? LocalHttp.get(node.port("monitor"), "/healthz").status() == 200
                : super.isReady(node);
    }
}
