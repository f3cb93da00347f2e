package dev.chatterbox.stack;

import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.network.Upstream;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.programs.Cache;
import dev.chatterbox.stack.Member.Health;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * One running system and its files.
 *
 * @param offset what is added to every port
 * @param directory holds {@code logs/}, each broker's folder and the state
 */
public record Stack(Repository repository, int offset, Path directory) {

    private static final Duration GRACE = Duration.ofSeconds(10);

    /** Locks that this JVM has: to the system it is one process, and closing the file a second time unlocks it. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    /** @throws UsageException the offset moves it to where no port is */
    int port(int port) {
        long moved = (long) port + offset;
        if (moved < 1 || moved > 65_535) {
            throw new UsageException(
                    "--port-offset %d moves port %d to %d; ports are 1 to 65535.".formatted(offset, port, moved));
        }
        return (int) moved;
    }

    /** How to call a command for this stack. */
    public String command(String name) {
        return "./chatterbox " + name + (offset == 0 ? "" : " --port-offset " + offset);
    }

    public Path logs() {
        return directory.resolve("logs");
    }

    public Path log(String name) {
        return logs().resolve(name + ".log");
    }

    /** The recorded processes, whether or not they still run. Of what was started again, the last start. */
    public List<Member> members() {
        try {
            Map<String, Member> members = new LinkedHashMap<>();
            if (Files.exists(processes())) {
                Files.readAllLines(processes()).stream()
                        .flatMap(line -> Member.ofLine(line).stream())
                        .forEach(member -> members.put(member.key(), member));
            }
            return List.copyOf(members.values());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its responders whose faults can be set. */
    public List<Member> responders() {
        return members().stream().filter(member -> !member.faults().isEmpty()).toList();
    }

    public Optional<ChildProcess> process(Member member) {
        return ChildProcess.find(member.name(), member.pid(), member.start(), log(member.name()));
    }

    public synchronized void record(Member member) {
        try {
            Files.writeString(
                    processes(), member.toLine() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The last start of one. */
    Optional<Member> member(Member.Kind kind, String name) {
        return members().stream()
                .filter(member -> member.key().equals(Member.key(kind, name)))
                .findFirst();
    }

    /** Those that have ended while others run; none where nothing runs. */
    public List<Member> dead() {
        List<Member> members = members();
        List<Member> dead =
                members.stream().filter(member -> process(member).isEmpty()).toList();
        return dead.size() < members.size() ? dead : List.of();
    }

    /**
     * Whether it runs; false also if all of it has ended.
     *
     * @throws StackException a part of it has ended or does not answer; the message says what helps
     */
    public boolean runs() {
        Map<Member, Health> ill = new LinkedHashMap<>();
        members().forEach(member -> ill.put(member, Health.of(this, member)));
        boolean alive = ill.values().stream().anyMatch(health -> health != Health.DEAD);
        ill.values().removeIf(health -> health == Health.UP);
        if (alive && !ill.isEmpty()) {
            String states = ill.entrySet().stream()
                    .map(entry -> "%s is %s; its log is %s"
                            .formatted(
                                    entry.getKey().name(),
                                    entry.getValue().text(),
                                    log(entry.getKey().name())))
                    .collect(Collectors.joining("\n  "));
            throw new StackException("It already runs, but not all of it:%n  %s%n%s".formatted(states, remedy(ill)));
        }
        return alive;
    }

    private String remedy(Map<Member, Health> ill) {
        if (ill.containsValue(Health.DEAD)) {
            return "To start what is dead: " + command("up");
        }
        return ill.keySet().stream()
                .filter(member -> ill.get(member) == Health.FROZEN)
                .findFirst()
                .map(member -> "To let it go on: " + command("fault resume " + member.name()))
                .orElse("To start anew: %s && %s".formatted(command("down"), command("up")));
    }

    /**
     * The network between its processes, if it was started with one.
     *
     * @param upstreams of its rows
     */
    Optional<Toxiproxy> network(List<Upstream> upstreams) {
        return member(Member.Kind.NETWORK, Toxiproxy.NAME).map(member -> new Toxiproxy(member.process(), upstreams));
    }

    /** The distance between its processes, in milliseconds, where it was started with a network. */
    public OptionalInt distanceMillis() {
        return network(List.of()).stream().mapToInt(Toxiproxy::distanceMillis).findFirst();
    }

    /**
     * Sets another distance between its processes.
     *
     * @return false where it was started without a network
     */
    public boolean setDistance(int millis) {
        Optional<Toxiproxy> network = network(List.of());
        network.ifPresent(found -> {
            found.setDistance(millis);
            record(state().withDistance(millis));
        });
        return network.isPresent();
    }

    /** What it was started as. */
    public StackState state() {
        return StackState.read(stateFile());
    }

    void record(StackState state) {
        state.write(stateFile());
    }

    /**
     * Says where a Prometheus on this machine finds the services' metrics: {@code compose/prometheus/prometheus.yaml}
     * looks there.
     */
    void recordTargets(String targets) {
        try {
            Files.writeString(directory.resolve("prometheus.yaml"), targets);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops processes, all at once, and each within the grace. */
    public static void stop(List<ChildProcess> processes) {
        List<Thread> threads = processes.stream()
                .map(process -> new Thread(() -> process.stop(GRACE), "stop-" + process.name()))
                .toList();
        threads.forEach(Thread::start);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            // The threads go on; they are not daemons.
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Stops the processes of one kind that still run.
     *
     * @return them
     */
    public List<ChildProcess> stop(Member.Kind kind) {
        List<ChildProcess> processes = members().stream()
                .filter(member -> member.kind() == kind)
                .flatMap(member -> process(member).stream())
                .toList();
        stop(processes);
        return processes;
    }

    /**
     * Forgets the processes and deletes all but the logs: every run starts with empty brokers, as comparisons need
     * it.
     */
    public void forget() {
        // First the state, which is what counts.
        Cache.delete(processes());
        Cache.list(directory).stream()
                .filter(file -> !Set.of(logs(), useLock(), processesLock()).contains(file))
                .forEach(Cache::delete);
    }

    /** Deletes what a broker keeps on disk. It must not run. */
    public void deleteData(Member broker) {
        Cache.delete(directory.resolve(broker.name()));
    }

    /** Deletes all that an earlier run left. */
    public void clear() {
        forget();
        Cache.delete(logs());
    }

    /**
     * Makes this the only command that starts, stops or measures this stack. The system gives the lock back however
     * this JVM ends.
     *
     * @throws StackException another one is at work
     */
    public Lock lock() {
        return lock(
                useLock(),
                "Another ./chatterbox starts, stops or measures this stack. Wait for it, or end it with Ctrl-C, or with Stop on the live page.");
    }

    /**
     * Makes this the only command that starts or stops single processes of this stack, which may be while another one
     * measures it.
     *
     * @throws StackException another one is at work
     */
    public Lock lockProcesses() {
        return lock(
                processesLock(),
                "Another ./chatterbox starts or stops processes of this stack. Wait until it is done.");
    }

    private Lock lock(Path file, String refusal) {
        Path held = file.toAbsolutePath();
        if (HELD.add(held)) {
            try {
                Files.createDirectories(directory);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                if (channel.tryLock() != null) {
                    return () -> {
                        channel.close();
                        HELD.remove(held);
                    };
                }
                channel.close();
            } catch (IOException e) {
                HELD.remove(held);
                throw new UncheckedIOException(e);
            }
            HELD.remove(held);
        }
        throw new StackException(refusal);
    }

    public interface Lock extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    private Path stateFile() {
        return directory.resolve("stack.json");
    }

    private Path useLock() {
        return directory.resolve("lock");
    }

    private Path processesLock() {
        return directory.resolve("processes.lock");
    }

    private Path processes() {
        return directory.resolve("processes.tsv");
    }
}
