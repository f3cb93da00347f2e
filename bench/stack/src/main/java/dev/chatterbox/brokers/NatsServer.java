package dev.chatterbox.brokers;

import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.programs.Program;
import dev.chatterbox.processes.programs.ProgramSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * nats-server with its defaults, found or fetched as {@link #origin} says. JetStream is on: without a stream, no cost
 * of it could be measured. JetStream stores its data in the server's folder.
 *
 * <p>Roles: {@code client}, {@code monitor} (HTTP), and {@code routes} (for the other nodes of a cluster).
 */
public final class NatsServer extends Broker {

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

    /** The server sends this before it asks a client for anything. */
    private static final Probe GREETING = new Probe("", "INFO {");

    private static final Pattern VERSION = Pattern.compile("\"version\":\"([^\"]+)\"");

    private final Program program = program(RELEASES, SHA_256);
    private final String configuration;

    public NatsServer() {
        this("");
    }

    /** @param configuration further lines of its configuration, which may require authentication */
    public NatsServer(String configuration) {
        super(
                "nats",
                "nats-server",
                PROBE,
                Duration.ofSeconds(30),
                Map.entry("client", 4222),
                Map.entry("monitor", 8222));
        this.configuration = configuration;
    }

    /**
     * The program for this machine.
     *
     * @param releases the address of the folder that contains the versions' folders
     * @param sha256 checksums of the archives, by the end of their names
     */
    static Program program(String releases, Map<String, String> sha256) {
        return new Program(
                "nats-server",
                ProgramSource.variable("NATS_SERVER_BIN"),
                ProgramSource.path("https://github.com/nats-io/nats-server/releases"),
                ProgramSource.goInstall("github.com/nats-io/nats-server/v2", BUILT_VERSION),
                ProgramSource.download(
                        DOWNLOADED_VERSION,
                        "6 MB",
                        "%s/%s/nats-server-%s-".formatted(releases, DOWNLOADED_VERSION, DOWNLOADED_VERSION),
                        sha256));
    }

    @Override
    public String origin() {
        return program.origin();
    }

    @Override
    public void obtain(Consumer<String> progress) {
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
    protected Map<String, String> files(Launch launch) {
        return Map.of("nats-server.conf", """
                listen: "127.0.0.1:%d"
                http: "127.0.0.1:%d"
                jetstream {
                  store_dir: "data"
                  max_memory_store: 512MB
                  max_file_store: 1GB
                }
                %s
                %s
                """.formatted(
                        launch.port("client"), launch.port("monitor"), cluster(launch), configuration));
    }

    /** Clients know all addresses from the start, and may reach the nodes at others than the nodes know. */
    private String cluster(Launch launch) {
        return launch.node().isOfCluster()
                ? """
                server_name: "%s"
                # A node that answers none is gone after twelve seconds. By default others give it requests for minutes.
                ping_interval: "3s"
                ping_max: 3
                cluster {
                  name: "chatterbox"
                  listen: "127.0.0.1:%d"
                  no_advertise: true
                  routes: [%s]
                }""".formatted(
                                launch.node().name(this),
                                launch.port("routes"),
                                launch.addresses("routes")
                                        .map("\"nats-route://%s\""::formatted)
                                        .collect(Collectors.joining(", ")))
                : "";
    }

    @Override
    protected ProcessBuilder command(Launch launch) {
        return new ProcessBuilder(program.obtain().toString(), "--config", "nats-server.conf");
    }

    @Override
    public String version(long pid, Map<String, Integer> ports) throws IOException {
        String greeting = new Probe("", "\r\n").answer(port(ports, "client"), Duration.ofSeconds(1));
        Matcher found = VERSION.matcher(greeting);
        if (!found.find()) {
            throw new IOException("nats-server does not say its version: " + greeting);
        }
        return found.group(1);
    }

    /** Core NATS has no leader: for its rows it is the leader of JetStream's administration. */
    @Override
    public Leaders leaders(Launch launch, Map<String, String> address) throws IOException {
        String all = LocalHttp.get(launch.port("monitor"), "/jsz?accounts=true&streams=true")
                .body();
        String stream = address.getOrDefault("stream", "");
        String who =
                stream.isEmpty() ? "\"meta_cluster\"" : "\"name\":\\s*\"%s-file\"".formatted(Pattern.quote(stream));
        Matcher found = Pattern.compile(who + ".*?\"leader\":\\s*\"nats-([1-9])\"", Pattern.DOTALL)
                .matcher(all);
        if (!found.find()) {
            throw new IOException("no nats-server is the leader of " + (stream.isEmpty() ? "JetStream" : stream));
        }
        return new Leaders(
                Integer.parseInt(found.group(1)),
                "nats-%s leads %s"
                        .formatted(
                                found.group(1),
                                stream.isEmpty() ? "JetStream" : "the stream %s-file".formatted(stream)));
    }

    /** A node of a cluster is healthy when it knows the leader of JetStream, and has caught up with its streams. */
    @Override
    protected boolean isReady(Launch launch) throws IOException {
        if (launch.node().isOfCluster()) {
            return LocalHttp.get(launch.port("monitor"), "/healthz").status() == 200;
        }
        return (configuration.isEmpty() ? PROBE : GREETING).isAnswered(launch.port("client"));
    }
}
