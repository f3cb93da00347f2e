package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The definition of a broker that can run as a child process on 127.0.0.1: it has configuration files in a folder and a
 * process, and it waits until the broker is ready. Subclasses are stateless and have a public constructor without
 * parameters, because a row names the class of its broker.
 */
public abstract class Broker {

    private static final int NODE_DISTANCE = 10;

    static final Duration GRACE = Duration.ofSeconds(10);

    private final String name;
    private final String title;
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final Probe probe;
    private final Duration startTimeout;

    /**
     * @param name one word in lower case, which names its log, its folder and its line in a status table
     * @param title the name for people
     * @param probe a request that the broker answers at once
     * @param ports the default ports by role, with the one for clients first
     */
    @SafeVarargs
    protected Broker(
            String name, String title, Probe probe, Duration startTimeout, Map.Entry<String, Integer>... ports) {
        this.name = name;
        this.title = title;
        for (Map.Entry<String, Integer> port : ports) {
            this.ports.put(port.getKey(), port.getValue());
        }
        this.probe = probe;
        this.startTimeout = startTimeout;
    }

    public final String name() {
        return name;
    }

    final String title() {
        return title;
    }

    /** The default port of each role, with the one for clients first. */
    public final Map<String, Integer> defaultPorts() {
        return ports;
    }

    /**
     * Whether several processes of this broker can form a cluster. A subclass that says so uses {@link Launch#node()}.
     */
    public boolean clusters() {
        return false;
    }

    /**
     * Asks a cluster which of its nodes leads what a row needs. Takes seconds.
     *
     * @param launch of a node that serves
     * @param address the row's address at this broker, by part
     * @throws IOException the cluster does not say it, for example because it has no leader
     */
    public Leaders leaders(Launch launch, Map<String, String> address) throws IOException {
        throw new IOException(title + " forms no clusters");
    }

    /**
     * The version of a running broker, or of a node of a cluster, as it says it itself.
     *
     * @param ports of the process, by role
     * @throws IOException it does not say it
     */
    public abstract String version(long pid, Map<String, Integer> ports) throws IOException;

    /** The port of a role. */
    static int port(Map<String, Integer> ports, String role) {
        return Objects.requireNonNull(ports.get(role), role);
    }

    /** The roles of ports that only nodes of a cluster need, with their default ports. */
    Map<String, Integer> furtherPortsOfNodes() {
        return Map.of();
    }

    /**
     * The default ports of a node of a cluster, by role, with the one for clients first. They differ from those of
     * other nodes, and from those of the broker that is no cluster.
     *
     * @param number of the node, from 1
     */
    public final Map<String, Integer> portsOfNode(int number) {
        Map<String, Integer> moved = new LinkedHashMap<>(ports);
        moved.putAll(furtherPortsOfNodes());
        moved.replaceAll((role, port) -> port + NODE_DISTANCE * number);
        return moved;
    }

    /** A request that the broker answers at once. It shows that the broker is ready, and it measures the round trip. */
    public final Probe probe() {
        return probe;
    }

    /**
     * One line for people that says which program will run, and how it will be obtained if it is not here yet.
     *
     * @throws ProcessException the program cannot be obtained here; the message lists the ways to get it
     */
    public abstract String origin();

    /**
     * Gets the program that will run, if it is not here yet. That may take minutes the first time.
     *
     * @param progress takes a line for people now and then that says how much was fetched; called on this thread
     * @throws ProcessException the program cannot be obtained here; the message lists the ways to get it
     */
    public void obtain(Consumer<String> progress) {
        origin();
    }

    /**
     * The environment variables by which a service finds this broker, and those that make it use a cluster as one.
     *
     * @param nodes the ports of each node, by role; only one if the broker is no cluster
     */
    public abstract Map<String, String> environment(List<Map<String, Integer>> nodes);

    /** The addresses of nodes for clients, with commas between them. */
    static String clientAddresses(String scheme, List<Map<String, Integer>> nodes) {
        return nodes.stream()
                .map(ports -> scheme + "127.0.0.1:" + ports.get("client"))
                .collect(Collectors.joining(","));
    }

    /**
     * Starts the broker, or one node of a cluster, and waits until it serves clients. A node waits for as many others
     * as the cluster needs.
     *
     * @throws ProcessException it did not start; nothing is left running
     */
    public final void start(Launch launch) {
        prepare(launch);
        List<ChildProcess> companions = companions(launch);
        try {
            startProcess(launch);
        } catch (RuntimeException e) {
            companions.forEach(companion -> companion.stop(GRACE));
            throw e;
        }
    }

    /** Gets the program, and writes the configuration files. */
    final void prepare(Launch launch) {
        obtain(line -> {});
        Path home = launch.home(this);
        try {
            Files.createDirectories(home);
            for (Map.Entry<String, String> file : files(launch).entrySet()) {
                Files.writeString(home.resolve(file.getKey()), file.getValue());
            }
        } catch (IOException e) {
            throw new ProcessException("%s's folder cannot be written: %s".formatted(title, e), e);
        }
    }

    /** The broker's configuration files: the text of each, by its name in the broker's folder. */
    protected Map<String, String> files(Launch launch) throws IOException {
        return Map.of();
    }

    /** The text of a file beside this class. */
    static String resource(String name) {
        try (InputStream file = Objects.requireNonNull(Broker.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts processes that must run before the broker, and that run as long as it. */
    protected List<ChildProcess> companions(Launch launch) {
        return List.of();
    }

    protected ChildProcess startProcess(Launch launch) {
        return launch.start(this, launch.node().name(this), command(launch), () -> isReady(launch), startTimeout);
    }

    /** The command that runs the broker in its folder. */
    protected abstract ProcessBuilder command(Launch launch);

    protected boolean isReady(Launch launch) throws IOException {
        return probe.isAnswered(launch.port("client"));
    }
}
