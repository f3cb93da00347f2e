package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Cache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A broker, or a cluster of nodes, that a test started and that ends with this JVM. Thread-safe. */
public final class RunningBroker implements AutoCloseable {

    /** With the quick compiler only, a Java broker starts in half the time. */
    private static final List<String> JAVA_FLAGS = List.of("-XX:TieredStopAtLevel=1");

    private final List<RunningNode> nodes;
    private final Map<String, String> environment;
    private @Nullable Path temporaryDirectory;

    private RunningBroker(Broker broker, List<Map<String, Integer>> ports, Path directory) {
        nodes = startNodes(IntStream.rangeClosed(1, ports.size())
                .mapToObj(number -> new Node(broker, number, ports, OptionalInt.empty(), directory, JAVA_FLAGS))
                .toList());
        environment = broker.environment(ports);
    }

    /**
     * Starts a broker on free ports, in a temporary folder that closing deletes.
     *
     * @throws ProcessException it did not start; nothing is left running
     */
    public static RunningBroker start(Broker broker) {
        return start(broker, 1);
    }

    /**
     * Starts a cluster in the same way.
     *
     * @param nodes how many; 1 is no cluster
     */
    public static RunningBroker start(Broker broker, int nodes) {
        List<String> roles = List.copyOf(broker.ports(nodes).get(0).keySet());
        Iterator<Integer> free = Ports.free(nodes * roles.size()).iterator();
        List<Map<String, Integer>> ports = Stream.generate(
                        () -> roles.stream().collect(Collectors.toMap(role -> role, role -> free.next())))
                .limit(nodes)
                .toList();
        try {
            Path directory = Files.createTempDirectory("chatterbox-" + broker.name());
            return new RunningBroker(broker, ports, directory).deletingWhenClosed(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts a broker that is no cluster.
     *
     * @param ports by role
     * @param directory as in {@link Node}; it stays
     */
    public static RunningBroker start(Broker broker, Map<String, Integer> ports, Path directory) {
        return new RunningBroker(broker, List.of(ports), directory);
    }

    private static List<RunningNode> startNodes(List<Node> nodes) {
        Queue<RunningNode> started = new ConcurrentLinkedQueue<>();
        try {
            return together(nodes, node -> {
                RunningNode running = new RunningNode(node);
                started.add(running);
                return running;
            });
        } catch (RuntimeException e) {
            started.forEach(RunningNode::close);
            throw e;
        }
    }

    /** Does the same with each at the same time. Throws the first failure when all are done. */
    private static <T, R> List<R> together(List<T> all, Function<T, R> action) {
        ExecutorService threads = Executors.newFixedThreadPool(all.size());
        try {
            List<CompletableFuture<R>> results = all.stream()
                    .map(one -> CompletableFuture.supplyAsync(() -> action.apply(one), threads))
                    .toList();
            CompletableFuture.allOf(results.toArray(CompletableFuture<?>[]::new))
                    .join();
            return results.stream().map(CompletableFuture::join).toList();
        } catch (CompletionException e) {
            throw e.getCause() instanceof ProcessException cause ? cause : e;
        } finally {
            threads.shutdown();
        }
    }

    /** The nodes of a cluster in the order of their numbers; otherwise the only one. */
    public List<RunningNode> nodes() {
        return nodes;
    }

    /** The ports of the first node, by role. */
    public Map<String, Integer> ports() {
        return nodes.get(0).node().own();
    }

    /** The port of the first node that clients connect to. */
    public int port() {
        return nodes.get(0).port();
    }

    /** The version of the first node, as it says it itself. */
    public String version() throws IOException {
        Node node = nodes.get(0).node();
        return node.broker().version(node, process().pid());
    }

    /** The environment variables by which a service finds this broker. */
    public Map<String, String> environment() {
        return environment;
    }

    /** The process of the first node; after {@link #kill} or {@link #close} the last one. */
    public ChildProcess process() {
        return nodes.get(0).process();
    }

    /** The processes of all nodes, and the processes beside them that they need. */
    public List<ChildProcess> processes() {
        return nodes.stream().flatMap(node -> node.processes().stream()).toList();
    }

    /** Ends all nodes as a crash would: SIGKILL, without a last message to clients. Returns when they are gone. */
    public synchronized void kill() {
        nodes.forEach(RunningNode::kill);
    }

    /**
     * Starts all nodes again on the same ports and data. Ends those first whose processes still run.
     *
     * @return this
     * @throws ProcessException a node did not start
     */
    public synchronized RunningBroker restart() {
        forEachNode(RunningNode::restart);
        return this;
    }

    /** Ends the broker: SIGTERM, and SIGKILL if it still runs after 10 s. Returns when its processes are gone. */
    @Override
    public synchronized void close() {
        forEachNode(RunningNode::close);
        if (temporaryDirectory != null) {
            delete(temporaryDirectory);
            temporaryDirectory = null;
        }
    }

    /** All at the same time, because a node waits for the others. */
    private void forEachNode(Consumer<RunningNode> action) {
        together(nodes, node -> {
            action.accept(node);
            return node;
        });
    }

    /** Also closes the broker when the JVM ends in order, because many tests share one broker that no test closes. */
    private synchronized RunningBroker deletingWhenClosed(Path directory) {
        temporaryDirectory = directory;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close-" + directory.getFileName()));
        return this;
    }

    private static void delete(Path directory) {
        try {
            Cache.delete(directory);
        } catch (UncheckedIOException e) {
            // A folder left in the system's temporary directory is not worth failing a test for.
            System.getLogger(RunningBroker.class.getName()).log(System.Logger.Level.DEBUG, "left " + directory, e);
        }
    }
}
