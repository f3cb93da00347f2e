package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Cache;
import dev.chatterbox.processes.programs.Program;
import dev.chatterbox.processes.programs.ProgramSource;
import java.io.File;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
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
 * it. So an epmd of our own is started first, as a process beside the server. All nodes of a cluster are registered with
 * the epmd of the first one, and register again if it was started anew.
 *
 * <p>Roles: {@code client}, {@code nodes} (for other nodes), {@code epmd}.
 */
public final class RabbitMq extends Broker {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration EPMD_TIMEOUT = Duration.ofSeconds(10);

    /** A server that is ready answers the protocol header with its first method, in a frame of that type. */
    private static final Probe PROBE = new Probe("AMQP\0\0\t\1", "\1\0\0");

    private static final String FRAME_END = "\u00ce";

    /** The last line that the server logs at its start contains this, after the number of its plugins. */
    private static final Predicate<String> STARTED = line -> line.contains(" completed with ");

    private static final int OLDEST_MAJOR = 4;

    /** The variable that names the folder of Erlang's programs if they are not on the PATH. */
    private static final String ERLANG = "ERLANG_BIN";

    /** The limit is like the shell's {@code ulimit -n}: Erlang makes a table with as many entries at its start. */
    private static final int OPEN_FILES = 4096;

    private final Program server = server(
            // These precede the PATH, where Debian and similar systems have a wrapper that runs it as another user.
            "/usr/lib/rabbitmq/bin");

    private final Program epmd = new Program(
            "epmd",
            ProgramSource.folder(ERLANG),
            ProgramSource.path("it comes with Erlang"),
            ProgramSource.installed("/usr/lib/erlang/bin"));

    public RabbitMq() {
        // A service that the package has started uses the default ports of nodes and epmd. Only the server uses ours.
        super(
                "rabbitmq",
                "RabbitMQ",
                PROBE,
                START_TIMEOUT,
                Map.entry("client", 5672),
                Map.entry("nodes", 5673),
                Map.entry("epmd", 5674));
    }

    /** @param folders where packages install the server */
    static Program server(String... folders) {
        return new Program(
                "rabbitmq-server",
                ProgramSource.variable("RABBITMQ_SERVER_BIN"),
                ProgramSource.installed(folders),
                ProgramSource.path("RabbitMQ 4 or newer; Debian 13: apt install rabbitmq-server; others:"
                        + " https://www.rabbitmq.com/docs/download"));
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
        try {
            return Cache.list(program.toRealPath().resolveSibling("../plugins")).stream()
                    .map(plugin -> plugin.getFileName().toString())
                    .filter(plugin -> plugin.matches("rabbit-[0-9].*"))
                    .map(plugin -> plugin.substring("rabbit-".length()))
                    .findFirst();
        } catch (IOException elsewhere) {
            return Optional.empty();
        }
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
    protected Map<String, String> files(Launch launch) {
        return Map.of(
                "enabled_plugins",
                "[].\n",
                "rabbitmq.conf",
                """
                listeners.tcp.default = 127.0.0.1:%d
                log.console = true
                # What is wrong, and not each connection.
                log.console.level = warning
                log.console.use_colors = off
                log.file = false
                # By default shares of what the machine has: the same on every machine instead.
                vm_memory_high_watermark.absolute = 512MB
                disk_free_limit.absolute = 64MB
                # Quorum queues keep what is in this log in memory too: by default 512 MB, so that no publisher could go on.
                raft.wal_max_size_bytes = 64000000
                """.formatted(launch.port("client")) + cluster(launch.node()));
    }

    private static String cluster(Node node) {
        return node.isOfCluster()
                ? IntStream.rangeClosed(1, node.ports().size())
                        .mapToObj(number -> "cluster_formation.classic_config.nodes.%d = %s%n"
                                .formatted(number, nodeName(new Node(number, node.ports()))))
                        .collect(Collectors.joining(
                                "",
                                """
                                cluster_formation.peer_discovery_backend = classic_config
                                # A node waits 30 s for the others before it would begin a cluster of its own; by default 5 s.
                                cluster_formation.discovery_retry_limit = 60
                                # A queue that is made before all nodes have joined has copies on those that are there. By
                                # default it stays so.
                                quorum_queue.continuous_membership_reconciliation.enabled = true
                                quorum_queue.continuous_membership_reconciliation.interval = 5000
                                quorum_queue.continuous_membership_reconciliation.trigger_interval = 1000
                                # A node that says nothing for so many seconds is gone; by default 60.
                                net_ticktime = 10
                                # When it comes back, it joins the others again. Before 4.3 it is left apart by default.
                                cluster_partition_handling = pause_minority
                                """,
                                "quorum_queue.continuous_membership_reconciliation.target_group_size = %d%n"
                                        .formatted(node.ports().size())))
                : "";
    }

    private static String nodeName(Node node) {
        return node.isOfCluster() ? "chatterbox-%d@localhost".formatted(node.number()) : "chatterbox@localhost";
    }

    private static int epmdPort(Launch launch) {
        return Objects.requireNonNull(launch.node().ports().get(0).get("epmd"));
    }

    @Override
    protected List<ChildProcess> companions(Launch launch) {
        if (launch.node().number() > 1) {
            return List.of();
        }
        int port = epmdPort(launch);
        return List.of(launch.start(
                this,
                launch.node().name(this) + "-epmd",
                new ProcessBuilder(epmd.obtain().toString(), "-port", Integer.toString(port), "-address", "127.0.0.1"),
                () -> Ports.accepts(port),
                EPMD_TIMEOUT));
    }

    @Override
    protected ProcessBuilder command(Launch launch) {
        ProcessBuilder builder = new ProcessBuilder(
                "/bin/sh",
                "-c",
                "ulimit -n %d; exec \"$0\"".formatted(OPEN_FILES),
                server.obtain().toString());
        builder.environment().putAll(erlangEnvironment(launch));
        builder.environment().putAll(serverEnvironment(launch));
        return builder;
    }

    @Override
    protected ChildProcess startProcess(Launch launch) {
        awaitEpmd(launch);
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
    private void awaitEpmd(Launch launch) {
        long end = System.nanoTime() + EPMD_TIMEOUT.toNanos();
        while (!Ports.accepts(epmdPort(launch))) {
            if (System.nanoTime() > end) {
                throw new ProcessException(
                        "%s finds no epmd on port %d, which is started with the first node: start that."
                                .formatted(launch.node().name(this), epmdPort(launch)));
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /**
     * The folder in which Erlang keeps its cookie. The nodes of a cluster share it, because they need the same cookie:
     * it is made here, so that two nodes do not make one at the same time.
     */
    private synchronized Path erlangHome(Launch launch) {
        if (!launch.node().isOfCluster()) {
            return launch.home(this);
        }
        Path home = launch.directory().resolve(name() + "-cluster");
        Path cookie = home.resolve(".erlang.cookie");
        try {
            if (!Files.exists(cookie)) {
                Files.createDirectories(home);
                Files.createFile(
                        cookie, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.writeString(cookie, new BigInteger(130, new SecureRandom()).toString(36));
            }
            return home;
        } catch (IOException e) {
            throw new ProcessException("The cookie of RabbitMQ's nodes cannot be written: " + e, e);
        }
    }

    @Override
    public Leaders leaders(Launch launch, Map<String, String> address) throws IOException {
        String queue = address.getOrDefault("queue", "");
        List<String> command = new ArrayList<>(List.of("/usr/bin/env"));
        erlangEnvironment(launch).forEach((variable, value) -> command.add(variable + "=" + value));
        command.add(server.obtain().toRealPath().resolveSibling("rabbitmqctl").toString());
        command.addAll(List.of("-q", "-n", nodeName(launch.node()), "list_queues", "name", "leader", "members"));
        Matcher found = Pattern.compile(
                        "^" + Pattern.quote(queue) + "\\s+chatterbox-([1-9])@\\S+(.*)$", Pattern.MULTILINE)
                .matcher(Command.run(START_TIMEOUT, command));
        if (!found.find()) {
            throw new IOException("no node of RabbitMQ is the leader of the queue " + queue);
        }
        long copies = Pattern.compile("chatterbox-[1-9]@")
                .matcher(found.group(2))
                .results()
                .count();
        if (copies < launch.node().ports().size()) {
            throw new IOException("the queue %s has copies on %d nodes only".formatted(queue, copies));
        }
        return new Leaders(
                Integer.parseInt(found.group(1)),
                "rabbitmq-%s leads the queue %s, which has copies on %d nodes"
                        .formatted(found.group(1), queue, copies));
    }

    /** Both versions are properties in the server's first method, Connection.Start. */
    @Override
    public String version(long pid, Map<String, Integer> ports) throws IOException {
        String start = new Probe(PROBE.request(), FRAME_END).answer(port(ports, "client"), Duration.ofSeconds(1));
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

    private Map<String, String> erlangEnvironment(Launch launch) {
        String path = System.getenv().getOrDefault("PATH", "");
        String chosen = System.getenv().getOrDefault(ERLANG, "");
        // A folder that only the package knows comes last, because the server's own scripts may name another one.
        String found = epmd.obtain().resolveSibling("").toString();
        return Map.of(
                "PATH",
                chosen.isBlank() ? path + File.pathSeparator + found : chosen + File.pathSeparator + path,
                "HOME",
                erlangHome(launch).toString(),
                "ERL_EPMD_PORT",
                Integer.toString(epmdPort(launch)),
                "ERL_EPMD_ADDRESS",
                "127.0.0.1",
                "ERL_MAX_PORTS",
                Integer.toString(OPEN_FILES),
                // A dump would take seconds, and would be in the working directory.
                "ERL_CRASH_DUMP_SECONDS",
                "0");
    }

    private Map<String, String> serverEnvironment(Launch launch) {
        Path home = launch.home(this);
        return Map.of(
                // With this, the script becomes the server, so that the pid is the server's.
                "RUNNING_UNDER_SYSTEMD", "1",
                "RABBITMQ_NODENAME", nodeName(launch.node()),
                "RABBITMQ_CONFIG_FILE", home.resolve("rabbitmq.conf").toString(),
                // Settings of the package or of its user do not apply here.
                "RABBITMQ_CONF_ENV_FILE", "/dev/null",
                "RABBITMQ_MNESIA_BASE", home.resolve("data").toString(),
                "RABBITMQ_LOG_BASE", home.resolve("logs").toString(),
                "RABBITMQ_ENABLED_PLUGINS_FILE", home.resolve("enabled_plugins").toString(),
                "RABBITMQ_DIST_PORT", Integer.toString(launch.port("nodes")),
                // The second argument is the name by which compose/process-exporter.yaml recognises the process.
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
                        "-kernel inet_dist_use_interface {127,0,0,1} -chatterbox chatterbox.process=rabbitmq-broker");
    }
}
