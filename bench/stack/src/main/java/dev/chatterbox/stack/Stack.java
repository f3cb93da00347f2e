package dev.chatterbox.stack;

import dev.chatterbox.network.NetworkLink;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Io;
import dev.chatterbox.processes.LoopDisk;
import dev.chatterbox.processes.ProcessException;
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
import java.util.concurrent.CompletableFuture;
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

    /** The control service ends its load first, and gives the load 45 seconds to write a report. */
    private static final Duration GRACE_OF_CONTROL = Duration.ofSeconds(50);

    /** Locks of this JVM. The system sees one process: closing another channel of the file would lose the lock. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    /** @throws UsageException the port with the offset is no port */
    int port(int port) {
        long moved = (long) port + offset;
        if (moved < 1 || moved > 65_535) {
            throw new UsageException(
                    "--port-offset %d moves port %d to %d; ports are 1 to 65535.".formatted(offset, port, moved));
        }
        return (int) moved;
    }

    /** The command line that calls a command for this stack. */
    public String command(String name) {
        return "./chatterbox " + name + (offset == 0 ? "" : " --port-offset " + offset);
    }

    public Path logs() {
        return directory.resolve("logs");
    }

    public Path log(String name) {
        return logs().resolve(name + ".log");
    }

    /** The copy of a service's jar that its processes run. */
    Path jar(String service) {
        return directory.resolve("jars").resolve(service).resolve(service + ".jar");
    }

    /** The recorded processes, whether or not they still run; for a process that was started again, the last start. */
    public List<Member> members() {
        Map<String, Member> members = new LinkedHashMap<>();
        if (Files.exists(processes())) {
            Io.unchecked(() -> Files.readAllLines(processes())).stream()
                    .flatMap(line -> Member.ofLine(line).stream())
                    .forEach(member -> members.put(member.name(), member));
        }
        return List.copyOf(members.values());
    }

    /** The responders whose faults can be set. */
    public List<Member> responders() {
        return members().stream().filter(member -> !member.faults().isEmpty()).toList();
    }

    public Optional<ChildProcess> process(Member member) {
        return ChildProcess.find(member.name(), member.pid(), member.start(), log(member.name()));
    }

    public synchronized void record(Member member) {
        Io.unchecked(() -> Files.writeString(
                processes(), member.toLine() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    }

    /** The last start of a member. */
    public Optional<Member> member(String name) {
        return members().stream().filter(member -> member.name().equals(name)).findFirst();
    }

    /** The members that have ended while others run; none if no member runs. */
    public List<Member> dead() {
        List<Member> members = members();
        List<Member> dead =
                members.stream().filter(member -> process(member).isEmpty()).toList();
        return dead.size() < members.size() ? dead : List.of();
    }

    /**
     * Whether the stack runs; false also if all its processes have ended.
     *
     * @throws ProcessException a member has ended or does not answer; the message says what helps
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
            throw new ProcessException("Already running, but not all of it:%n  %s%n%s".formatted(states, remedy(ill)));
        }
        return alive;
    }

    /**
     * Says that this stack, which runs, is not as asked for.
     *
     * @param asked the options that ask for it
     */
    public UsageException refusal(String how, String asked) {
        return new UsageException("Already running, %s. To start it as asked: %s && %s%s"
                .formatted(how, command("down"), command("up"), asked));
    }

    /** Says that this stack, which runs, can add no latency. */
    public UsageException withoutNetwork(Selection selection, int distanceMillis) {
        return refusal(
                "without a network between its processes",
                "%s --distance %dms".formatted(selection.option(), distanceMillis));
    }

    /** Says that this stack, which runs, lacks variants. */
    public UsageException lacks(List<String> variants, String asked) {
        return refusal(
                "with %s, and not with %s"
                        .formatted(String.join(", ", state().variants()), String.join(", ", variants)),
                asked);
    }

    private String remedy(Map<Member, Health> ill) {
        if (ill.containsValue(Health.DEAD)) {
            return "To restart stopped processes: " + command("up");
        }
        return ill.keySet().stream()
                .filter(member -> ill.get(member) == Health.FROZEN)
                .findFirst()
                .map(member -> "To let it go on: " + command("fault resume " + member.name()))
                .orElse("To start again: %s && %s".formatted(command("down"), command("up")));
    }

    /**
     * The network between the processes of the stack, if it was started with one.
     *
     * @param links of the stack's variants
     */
    Optional<Toxiproxy> network(List<NetworkLink> links) {
        return member(Toxiproxy.NAME).map(member -> new Toxiproxy(member.pid(), member.port(), links));
    }

    /** The distance between the processes, in milliseconds; empty if the stack was started without a network. */
    public OptionalInt distanceMillis() {
        return network(List.of()).stream().mapToInt(Toxiproxy::distanceMillis).findFirst();
    }

    /**
     * Sets another distance between the processes.
     *
     * @return false if the stack was started without a network
     */
    public boolean setDistance(int millis) {
        Optional<Toxiproxy> network = network(List.of());
        network.ifPresent(found -> {
            found.setDistance(millis);
            record(state().withDistance(millis));
        });
        return network.isPresent();
    }

    /** What the stack was started as. */
    public StackState state() {
        return StackState.read(stateFile());
    }

    void record(StackState state) {
        state.write(stateFile());
    }

    /**
     * Writes the file in which a Prometheus on this machine finds the services' metrics, as
     * {@code compose/prometheus/prometheus.yaml} configures it.
     */
    void recordTargets(String targets) {
        Io.unchecked(() -> Files.writeString(directory.resolve("prometheus.yaml"), targets));
    }

    /** Stops processes, all at the same time. Each has the grace to end in order, and is killed after that. */
    public static void stop(List<ChildProcess> processes) {
        CompletableFuture<?>[] ends = processes.stream()
                .map(process -> CompletableFuture.runAsync(
                        () -> process.stop(process.name().equals(Control.NAME) ? GRACE_OF_CONTROL : GRACE),
                        stop -> new Thread(stop, "stop-" + process.name()).start()))
                .toArray(CompletableFuture<?>[]::new);
        // Also where this thread was interrupted: the files of the processes must not be deleted before.
        CompletableFuture.allOf(ends).join();
    }

    /**
     * Stops the processes of one kind that still run.
     *
     * @return the processes that it stopped
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
     * Forgets the processes and deletes everything except the logs: every run starts with empty brokers, as comparisons
     * need it.
     */
    public void forget() {
        // A disk may be busy. Then the record stays, and the command can be repeated.
        Cache.list(directory).forEach(home -> new LoopDisk(data(home)).close());
        // The record of processes is deleted first: without it, the stack counts as stopped.
        Cache.delete(processes());
        Cache.list(directory).stream()
                .filter(file -> !Set.of(logs(), useLock(), processesLock()).contains(file))
                .forEach(Stack::delete);
    }

    /** The folder of a broker's data. */
    public Path data(String broker) {
        return data(directory.resolve(broker));
    }

    private static Path data(Path home) {
        return home.resolve("data");
    }

    /** The disk of a broker, if the stack was started with disks. */
    public Optional<LoopDisk> disk(Member broker) {
        return LoopDisk.at(data(broker.name()));
    }

    /** What this machine lacks for disks of brokers, in one sentence; empty if it has all. The stack must not run. */
    public Optional<String> lackForDisks() {
        return LoopDisk.lack(data("disk-trial"));
    }

    /** Deletes what a broker keeps on disk. The broker must not run. */
    public void deleteData(Member broker) {
        delete(directory.resolve(broker.name()));
    }

    /** Deletes a file, or a folder with the disk that may be mounted in it. */
    private static void delete(Path file) {
        new LoopDisk(data(file)).close();
        Cache.delete(file);
    }

    /** Deletes all that an earlier run left. */
    public void clear() {
        forget();
        Cache.delete(logs());
    }

    /**
     * Makes this the only command that starts, stops or measures this stack. The operating system releases the lock,
     * however this JVM ends.
     *
     * @throws ProcessException another command has the lock
     */
    public Lock lock() {
        return lock(
                useLock(),
                "Another ./chatterbox starts, stops or measures this stack. Wait for it, or end it with Ctrl-C, or with Stop on the live page.");
    }

    /**
     * Makes this the only command that starts or stops single processes of this stack. Another command may measure the
     * stack meanwhile.
     *
     * @throws ProcessException another command has the lock
     */
    public Lock lockProcesses() {
        return lock(
                processesLock(),
                "Another ./chatterbox starts or stops processes of this stack. Wait until it is done.");
    }

    private Lock lock(Path file, String refusal) {
        Path held = file.toAbsolutePath();
        if (!HELD.add(held)) {
            throw new ProcessException(refusal);
        }
        try {
            Files.createDirectories(directory);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            Lock lock = () -> Io.unchecked(() -> {
                channel.close();
                return HELD.remove(held);
            });
            if (channel.tryLock() == null) {
                lock.close();
                throw new ProcessException(refusal);
            }
            return lock;
        } catch (IOException e) {
            HELD.remove(held);
            throw new UncheckedIOException(e);
        }
    }

    public interface Lock extends AutoCloseable {
        @Override
        void close();
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
