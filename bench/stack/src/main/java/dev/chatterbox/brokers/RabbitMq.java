package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildEnvironment;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.Io;
import dev.chatterbox.processes.Loopback;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Cache;
import dev.chatterbox.processes.programs.Program;
import java.io.File;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A RabbitMQ server that is installed on this machine, version 4 or newer. Its settings are the defaults, except those
 * that bind it to its folder and to loopback. It is never fetched: the package manager installs it with its Erlang.
 *
 * <p>RabbitMQ starts no node without epmd, Erlang's register of nodes, and an epmd that RabbitMQ starts itself outlives
 * it. So an epmd of our own is started first, as a process beside the server. All nodes of a cluster are registered
 * with the epmd of the first one, and register again if it was restarted.
 *
 * <p>Roles: {@code client}, {@code nodes} (for other nodes), {@code epmd}.
 */
public class RabbitMq extends Broker {

    private static final Duration EPMD_TIMEOUT = Duration.ofSeconds(10);

    /** A server that is ready answers the protocol header with its first method, in a frame of that type. */
    private static final Probe PROBE = new Probe("AMQP\0\0\t\1", "\1\0\0");

    private static final String FRAME_END = "\u00ce";

    /** The last line that the server logs at its start contains this, after the number of its plugins. */
    private static final Predicate<String> STARTED = line -> line.contains(" completed with ");

    private static final int OLDEST_MAJOR = 4;

    /** The limit is like the shell's {@code ulimit -n}: Erlang makes a table with as many entries at its start. */
    private static final int OPEN_FILES = 4096;

    // The package's folder precedes the PATH, where Debian has a wrapper that runs it as another user.
    private final Program server = server("/usr/lib/rabbitmq/bin");

    private final Program epmd =
            Program.of("epmd", "ERLANG_BIN", "it comes with Erlang", Program.PATH, "/usr/lib/erlang/bin");

    public RabbitMq() {
        // A service that the package has started uses the default ports of nodes and epmd. Only the server uses ours.
        super("rabbitmq", "RabbitMQ", PROBE, Map.of("client", 5672, "nodes", 5673, "epmd", 5674));
    }

    /** @param folder where a package installs the server */
    static Program server(String folder) {
        return Program.of(
                "rabbitmq-server",
                "RABBITMQ_SERVER_BIN",
                "RabbitMQ 4 or newer; Debian 13: apt install rabbitmq-server; others: https://www.rabbitmq.com/docs/download",
                folder,
                Program.PATH);
    }

    @Override
    public String origin() {
        Path program = requireVersion(server.obtain());
        epmd.obtain();
        return program.toString();
    }

    /** @throws ProcessException the version is too old */
    static Path requireVersion(Path program) {
        version(program)
                .filter(version -> Integer.parseInt(version.split("\\.")[0]) < OLDEST_MAJOR)
                .ifPresent(version -> {
                    throw new ProcessException(
                            "%s is RabbitMQ %s, which is too old.%nInstall version %d or newer, or set RABBITMQ_SERVER_BIN to its rabbitmq-server."
                                    .formatted(program, version, OLDEST_MAJOR));
                });
        return program;
    }

    /** The version, from the server's own plugin, which is beside the scripts' folder; empty if it is elsewhere. */
    private static Optional<String> version(Path program) {
        return Io.ifPossible(program::toRealPath).stream()
                .flatMap(real -> Cache.list(real.resolveSibling("../plugins")).stream())
                .map(plugin -> plugin.getFileName().toString())
                .filter(plugin -> plugin.matches("rabbit-[0-9].*"))
                .map(plugin -> plugin.substring("rabbit-".length()))
                .findFirst();
    }

    @Override
    public Map<String, String> environment(List<Map<String, Integer>> nodes) {
        String uri = clientAddresses("amqp://", nodes);
        return nodes.size() == 1
                ? Map.of("RABBITMQ_URI", uri)
                : Map.of("RABBITMQ_URI", uri, "RABBITMQ_QUEUE_TYPE", "quorum");
    }

    @Override
    public boolean clusters() {
        return true;
    }

    @Override
    protected Map<String, String> files(Node node) {
        String cluster = node.isOfCluster()
                ? IntStream.rangeClosed(1, node.ports().size())
                        .mapToObj(number ->
                                "cluster_formation.classic_config.nodes.%d = %s%n".formatted(number, nodeName(number)))
                        .collect(Collectors.joining("", resource("rabbitmq-cluster.conf", node), ""))
                : "";
        return Map.of("enabled_plugins", "[].\n", "rabbitmq.conf", resource("rabbitmq.conf", node) + cluster);
    }

    private static String nodeName(Node node) {
        return node.isOfCluster() ? nodeName(node.number()) : "chatterbox@localhost";
    }

    /** The name of a node of a cluster. */
    private static String nodeName(int number) {
        return "chatterbox-%d@localhost".formatted(number);
    }

    private static int epmdPort(Node node) {
        return Objects.requireNonNull(node.ports().get(0).get("epmd"));
    }

    @Override
    List<ChildProcess> companions(Launch launch) {
        Node node = launch.node();
        if (node.number() > 1) {
            return List.of();
        }
        int port = epmdPort(node);
        return List.of(launch.start(
                node.name() + "-epmd",
                erlang(node, epmd.obtain().toString(), "-port", Integer.toString(port), "-address", Loopback.HOST),
                () -> Ports.accepts(port),
                EPMD_TIMEOUT));
    }

    @Override
    protected ProcessBuilder command(Node node) {
        String program = server.obtain().toString();
        ProcessBuilder builder =
                erlang(node, "/bin/sh", "-c", "ulimit -n %d; exec \"$0\"".formatted(OPEN_FILES), program);
        builder.environment().putAll(serverEnvironment(node));
        return builder;
    }

    private ProcessBuilder erlang(Node node, String... command) {
        ProcessBuilder builder = ChildEnvironment.builder(List.of(command));
        Map<String, String> environment = builder.environment();
        Path programs = epmd.obtain().resolveSibling("");
        environment.merge("PATH", programs.toString(), (path, own) -> own + File.pathSeparator + path);
        environment.put("HOME", erlangHome(node).toString());
        environment.put("ERL_EPMD_PORT", Integer.toString(epmdPort(node)));
        environment.put("ERL_EPMD_ADDRESS", Loopback.HOST);
        environment.put("ERL_MAX_PORTS", Integer.toString(OPEN_FILES));
        // A dump would take seconds, and would be in the working directory.
        environment.put("ERL_CRASH_DUMP_SECONDS", "0");
        return builder;
    }

    @Override
    ChildProcess startProcess(Launch launch) {
        awaitEpmd(launch.node());
        try {
            ChildProcess process = super.startProcess(launch);
            // Until the server logs this line, it drops replies that bypass queues (direct reply-to).
            process.awaitReady(() -> process.tail(Integer.MAX_VALUE).stream().anyMatch(STARTED), START_TIMEOUT);
            return process;
        } catch (ProcessException e) {
            String message = String.valueOf(e.getMessage());
            throw message.contains("eaddrinuse")
                    ? new ProcessException(message + System.lineSeparator() + "eaddrinuse: address already in use", e)
                    : e;
        }
    }

    /** A server without an epmd would start one, which would outlive it. */
    private static void awaitEpmd(Node node) {
        long end = System.nanoTime() + EPMD_TIMEOUT.toNanos();
        while (!Ports.accepts(epmdPort(node))) {
            if (System.nanoTime() > end) {
                throw new ProcessException(
                        "%s finds no epmd on port %d, which is started with the first node: start that."
                                .formatted(node.name(), epmdPort(node)));
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /**
     * The folder in which Erlang keeps its cookie. The nodes of a cluster share it, because they need the same cookie:
     * it is made here, so that two nodes do not make one at the same time.
     */
    private synchronized Path erlangHome(Node node) {
        if (!node.isOfCluster()) {
            return node.home();
        }
        Path home = node.directory().resolve(name() + "-cluster");
        Path cookie = home.resolve(".erlang.cookie");
        try {
            if (!Files.exists(cookie)) {
                Files.createDirectories(home);
                Io.writePrivate(cookie, new BigInteger(130, new SecureRandom()).toString(36));
            }
            return home;
        } catch (IOException e) {
            throw new ProcessException("The cookie of RabbitMQ's nodes cannot be written: " + e, e);
        }
    }

    @Override
    public Leaders leaders(Node node, Map<String, String> address) throws IOException {
        String queue = address.getOrDefault("queue", "");
        String program =
                server.obtain().toRealPath().resolveSibling("rabbitmqctl").toString();
        String queues = Command.run(
                START_TIMEOUT,
                erlang(node, program, "-q", "-n", nodeName(node), "list_queues", "name", "leader", "members"));
        Pattern line =
                Pattern.compile("^" + Pattern.quote(queue) + "\\s+chatterbox-([1-9])@\\S+(.*)$", Pattern.MULTILINE);
        Matcher found = find(line, queues, "no node of RabbitMQ is the leader of the queue " + queue);
        int copies = found.group(2).split("chatterbox-[1-9]@", -1).length - 1;
        if (copies < node.ports().size()) {
            throw new IOException("the queue %s has copies on %d nodes only".formatted(queue, copies));
        }
        return new Leaders(
                Integer.parseInt(found.group(1)),
                "rabbitmq-%s leads the queue %s, which has copies on %d nodes"
                        .formatted(found.group(1), queue, copies));
    }

    /** Both versions are properties in the server's first method, Connection.Start. */
    @Override
    public String version(Node node, long pid) throws IOException {
        String start = new Probe(PROBE.request(), FRAME_END).answer(node.port("client"), Duration.ofSeconds(1));
        return "%s, %s".formatted(property(start, "version"), property(start, "platform"));
    }

    /** A property is the length of its name in a byte, its name, S for a text, and that text's length in four bytes. */
    private static String property(String table, String name) throws IOException {
        String field = (char) name.length() + name + "S";
        int text = table.indexOf(field) + field.length() + 4;
        if (text < field.length() + 4 || text > table.length()) {
            throw new IOException("RabbitMQ does not say its " + name);
        }
        return table.substring(text, Math.min(table.length(), text + table.charAt(text - 1)));
    }

    private static Map<String, String> serverEnvironment(Node node) {
        Path home = node.home();
        return Map.of(
                // With this, the script becomes the server, so that the pid is the server's.
                "RUNNING_UNDER_SYSTEMD", "1",
                "RABBITMQ_NODENAME", nodeName(node),
                "RABBITMQ_CONFIG_FILE", home.resolve("rabbitmq.conf").toString(),
                // Settings of the package or of its user do not apply here.
                "RABBITMQ_CONF_ENV_FILE", "/dev/null",
                "RABBITMQ_MNESIA_BASE", home.resolve("data").toString(),
                "RABBITMQ_LOG_BASE", home.resolve("logs").toString(),
                "RABBITMQ_ENABLED_PLUGINS_FILE", home.resolve("enabled_plugins").toString(),
                "RABBITMQ_DIST_PORT", Integer.toString(node.port("nodes")),
                // The second argument is the name by which compose/process-exporter.yaml recognises the process.
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
                        "-kernel inet_dist_use_interface {127,0,0,1} -chatterbox chatterbox.process=rabbitmq-broker");
    }
}
