package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Io;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The definition of a broker that can run as a child process on loopback: it has configuration files in a folder and a
 * process, and it waits until the broker is ready. Subclasses are stateless and have a public constructor without
 * parameters, because a variant names the class of its broker.
 */
public abstract class Broker {

    private static final int NODE_DISTANCE = 10;

    /** Twenty of them start at the same time, perhaps beside other programs. One that ends is noticed at once. */
    static final Duration START_TIMEOUT = Duration.ofMinutes(5);

    static final Duration GRACE = Duration.ofSeconds(10);

    private final String name;
    private final String title;
    private final Probe probe;
    private final Map<String, Integer> ports;

    /**
     * @param name one word in lower case, which names its log, its folder and its line in a status table; a broker that
     *     differs from another one only in its settings has the other one's name, a hyphen and a word for the settings
     * @param title the name for people
     * @param probe a request that the broker answers at once
     * @param ports the default ports by role, of which {@code client} is for clients
     */
    protected Broker(String name, String title, Probe probe, Map<String, Integer> ports) {
        this.name = name;
        this.title = title;
        this.probe = probe;
        this.ports = new TreeMap<>(ports);
    }

    public final String name() {
        return name;
    }

    /** The name of the broker whose settings are not changed. */
    public final String kind() {
        return name.split("-", 2)[0];
    }

    final String title() {
        return title;
    }

    /** Whether several processes of this broker can form a cluster. */
    public boolean clusters() {
        return false;
    }

    /**
     * Asks a cluster which of its nodes leads what a variant needs. Takes seconds.
     *
     * @param node that serves
     * @param address the variant's address at this broker, by part
     * @throws IOException the cluster does not say it, for example because it has no leader
     */
    public Leaders leaders(Node node, Map<String, String> address) throws IOException {
        throw new IOException(title + " forms no clusters");
    }

    /**
     * The version of a running broker, or of a node of a cluster, as it says it itself.
     *
     * @throws IOException it does not say it
     */
    public abstract String version(Node node, long pid) throws IOException;

    /**
     * Finds what a broker says of itself.
     *
     * @param sentence says that the broker does not say it
     * @throws IOException the answer has nothing that matches
     */
    static Matcher find(Pattern pattern, String answer, String sentence) throws IOException {
        Matcher found = pattern.matcher(answer);
        if (!found.find()) {
            throw new IOException(sentence);
        }
        return found;
    }

    /** The roles of ports that only nodes of a cluster need, with their default ports. */
    Map<String, Integer> furtherPortsOfNodes() {
        return Map.of();
    }

    /**
     * The default ports of each node by role. Those of a cluster's nodes differ from
     * each other, and from those of the broker that is no cluster.
     *
     * @param nodes how many; 1 is no cluster
     */
    public final List<Map<String, Integer>> ports(int nodes) {
        if (nodes == 1) {
            return List.of(ports);
        }
        Map<String, Integer> all = new TreeMap<>(ports);
        all.putAll(furtherPortsOfNodes());
        return IntStream.rangeClosed(1, nodes)
                .mapToObj(number -> {
                    Map<String, Integer> moved = new TreeMap<>(all);
                    moved.replaceAll((role, port) -> port + NODE_DISTANCE * number);
                    return moved;
                })
                .toList();
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
     * @throws ProcessException the program cannot be obtained here; the message lists the ways to get it
     */
    public void obtain() {
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
        return Node.addresses(nodes, "client").stream().map(scheme::concat).collect(Collectors.joining(","));
    }

    /**
     * Starts the broker, or one node of a cluster, and waits until it serves clients. A node waits for as many others
     * as the cluster needs.
     *
     * @param lifetime whether the broker ends with this JVM
     * @param started called with each process as soon as it exists, on this thread, before the wait for it to be ready,
     *     to note its pid. The main process has the node's name. If this throws, the process is stopped
     * @throws ProcessException it did not start; nothing is left running
     */
    public final void start(Node node, Lifetime lifetime, Consumer<ChildProcess> started) {
        prepare(node);
        Launch launch = new Launch(node, lifetime, started);
        List<ChildProcess> companions = companions(launch);
        try {
            startProcess(launch);
        } catch (RuntimeException e) {
            companions.forEach(companion -> companion.stop(GRACE));
            throw e;
        }
    }

    /** Gets the program, and writes the configuration files. */
    final void prepare(Node node) {
        obtain();
        try {
            Files.createDirectories(node.home());
            for (Map.Entry<String, String> file : files(node).entrySet()) {
                Files.writeString(node.home().resolve(file.getKey()), file.getValue());
            }
        } catch (IOException e) {
            throw new ProcessException("%s's folder cannot be written: %s".formatted(title, e), e);
        }
    }

    /** The broker's configuration files: the text of each, by its name in the broker's folder. */
    protected Map<String, String> files(Node node) throws IOException {
        return Map.of();
    }

    /** The text of a file beside this class. */
    static String resource(String name) {
        return Io.resource(Broker.class, name);
    }

    /**
     * The text of a file beside this class, for a node: <code>${client}</code> stands for the node's port with this
     * role, <code>${name}</code> and <code>${number}</code> for the node's own, and <code>${size}</code> for the number
     * of all nodes.
     */
    static String resource(String name, Node node) {
        String text = resource(name)
                .replace("${name}", node.name())
                .replace("${number}", Integer.toString(node.number()))
                .replace("${size}", Integer.toString(node.ports().size()));
        for (Map.Entry<String, Integer> port : node.own().entrySet()) {
            text = text.replace(
                    "${%s}".formatted(port.getKey()), port.getValue().toString());
        }
        return text;
    }

    /** Starts processes that must run before the broker, and that run as long as it. */
    List<ChildProcess> companions(Launch launch) {
        return List.of();
    }

    ChildProcess startProcess(Launch launch) {
        Node node = launch.node();
        return launch.start(node.name(), command(node), () -> isReady(node), START_TIMEOUT);
    }

    /** The command that runs the broker in its folder. */
    protected abstract ProcessBuilder command(Node node);

    protected boolean isReady(Node node) throws IOException {
        return probe.isAnswered(node.port("client"));
    }
}
