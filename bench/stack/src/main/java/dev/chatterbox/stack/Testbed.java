package dev.chatterbox.stack;

import dev.chatterbox.comparison.Target;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The stack that a comparison runs on: one that {@code up} started, or else one of its own, which ends with this JVM
 * however that ends. While it is open, neither {@code up} nor {@code down} may touch it.
 */
public final class Testbed implements AutoCloseable {

    private final Repository repository;
    private final Stack stack;
    private final Stack.Lock lock;
    private final boolean own;
    private final List<String> rows;
    private boolean closed;

    private Testbed(Repository repository, Stack stack, Stack.Lock lock, boolean own, List<String> rows) {
        this.repository = repository;
        this.stack = stack;
        this.lock = lock;
        this.own = own;
        this.rows = rows;
    }

    /**
     * @param offset of the ports; if nothing was said of it, other ports are taken where these are not free
     * @param words by which rows were asked for; none means those that run, or else those that are started by default
     * @param distanceMillis the longest distance that is to be put between the processes; 0 for none
     * @throws StackException a stack runs, but not all of it; or none does, and another one could not be started
     * @throws UsageException the stack that runs lacks a row that was asked for, or the network that a distance needs
     * @throws ProcessException a process could not be started
     */
    public static Testbed open(
            Repository repository,
            Optional<Integer> offset,
            List<String> words,
            int distanceMillis,
            Steps steps,
            boolean archives)
            throws IOException {
        Selection selection = Selection.of(repository.rows(), words);
        Stack stack = repository.stack(offset.orElse(0));
        StackPlan plan = StackPlan.of(repository, stack, selection);
        Stack.Lock lock = stack.lock();
        try {
            if (stack.runs()) {
                steps.line(
                        "Using the stack that runs. (To compare on a fresh one: %s)".formatted(stack.command("down")));
                requireNetwork(stack, selection, distanceMillis);
                return new Testbed(repository, stack, lock, false, rowsOf(stack, selection));
            }
            // Where any distance is asked for, all are measured over the network.
            OptionalInt distance = distanceMillis > 0 ? OptionalInt.of(0) : OptionalInt.empty();
            plan = Startup.planned(repository, stack, selection, distance, line -> {});
            if (offset.isEmpty() && isTaken(plan)) {
                lock.close();
                stack = free(repository, selection);
                lock = stack.lock();
                plan = Startup.planned(repository, stack, selection, distance, line -> {});
                steps.line("Some of the usual ports are taken, so all are moved by %d.".formatted(stack.offset()));
            }
            plan.disabled().forEach((row, reason) -> steps.line("Not compared: %s. %s".formatted(row, reason)));
            plan.requireFree(stack);
            try (Stack.Lock processes = stack.lockProcesses()) {
                stack.clear();
                new Startup(repository, plan, stack, steps, Lifetime.WITH_PARENT, archives).run();
            }
            return new Testbed(repository, stack, lock, true, names(plan.rows()));
        } catch (RuntimeException | IOException e) {
            lock.close();
            throw e;
        }
    }

    private static List<String> rowsOf(Stack stack, Selection selection) {
        StackState state = stack.state();
        if (selection.words().isEmpty()) {
            return state.rows();
        }
        List<Row> wanted = selection.rows().stream()
                // What is only part of all, and could not be had when this stack was started, cannot be had now.
                .filter(row -> selection.requires(row) || !state.disabled().containsKey(row.name()))
                .toList();
        List<String> lacking = names(wanted).stream()
                .filter(name -> !state.rows().contains(name))
                .toList();
        if (!lacking.isEmpty()) {
            throw new UsageException("The stack that runs has %s, and not %s. To start one that has: %s && %s"
                    .formatted(
                            String.join(", ", state.rows()),
                            String.join(", ", lacking),
                            stack.command("down"),
                            stack.command("up") + selection.option()));
        }
        return names(wanted);
    }

    private static void requireNetwork(Stack stack, Selection selection, int distanceMillis) {
        if (distanceMillis > 0 && stack.network(List.of()).isEmpty()) {
            throw new UsageException(
                    "The stack that runs has no network between its processes, so there can be no distance. To start one that has: %s && %s --distance %dms"
                            .formatted(
                                    stack.command("down"), stack.command("up") + selection.option(), distanceMillis));
        }
    }

    private static List<String> names(List<Row> rows) {
        return rows.stream().map(Row::name).toList();
    }

    private static boolean isTaken(StackPlan plan) {
        return plan.ports().stream().anyMatch(use -> Ports.owner(use.getKey()).isPresent());
    }

    private static Stack free(Repository repository, Selection selection) {
        return IntStream.rangeClosed(1, 20)
                .mapToObj(n -> repository.stack(n * 1000))
                .filter(stack -> stack.members().isEmpty() && !isTaken(StackPlan.of(repository, stack, selection)))
                .findFirst()
                .orElseThrow(() -> new StackException("No free ports were found. To choose them: --port-offset N"));
    }

    /** The names of the rows that can be compared here, of those that were asked for. */
    public List<String> rows() {
        return rows;
    }

    /** @throws StackException a row that runs is not described any more */
    public Target target() {
        Map<String, Target.Process> processes = new LinkedHashMap<>();
        for (Member member : stack.members()) {
            processes.put(member.key(), new Target.Process(member.name(), member.pid(), member.port()));
        }
        Rows known = repository.rows();
        StackState state = stack.state();
        List<Target.RowTarget> targets = new ArrayList<>();
        for (String name : rows) {
            Row row = known.find(name)
                    .orElseThrow(() -> new StackException(
                            "The stack that runs has the row %s, which this checkout has not. To start it anew: %s"
                                    .formatted(name, stack.command("down"))));
            targets.add(new Target.RowTarget(
                    row,
                    row.responder()
                            .map(responder -> process(processes, Member.key(Member.Kind.SERVICE, responder.name()))),
                    row.responder()
                            .map(responder -> repository.program(responder).metrics()),
                    row.broker().map(broker -> process(processes, Member.key(Member.Kind.BROKER, broker.name()))),
                    row.responder()
                            .flatMap(responder ->
                                    Optional.ofNullable(state.jars().get(responder.name())))
                            .map(Testbed::libraries)
                            .orElse(List.of()),
                    rawClient(row, state)));
        }
        return new Target(
                process(processes, Member.key(Member.Kind.SERVICE, Repository.AGGREGATOR)),
                targets,
                List.copyOf(processes.values()),
                network().map(found -> found));
    }

    public Stack stack() {
        return stack;
    }

    /** What lies between its processes, where they are connected by a network. */
    public Optional<Toxiproxy> network() {
        return stack.network(StackPlan.of(repository, stack, Selection.of(repository.rows(), rows))
                .links());
    }

    private Target.Process process(Map<String, Target.Process> processes, String key) {
        Target.Process process = processes.get(key);
        if (process == null) {
            throw new StackException(
                    "The stack that runs has no %s. To start it anew: %s".formatted(key, stack.command("down")));
        }
        return process;
    }

    /** A jar and those unpacked beside it. */
    private static List<Path> libraries(Path jar) {
        List<Path> libraries = new ArrayList<>(List.of(jar));
        Path folder = jar.resolveSibling("lib");
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                files.sorted().forEach(libraries::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return libraries;
    }

    private Optional<Target.RawClient> rawClient(Row row, StackState state) {
        return row.rawClient()
                .flatMap(main -> repository.rawClients().map(classPath -> {
                    List<String> arguments =
                            new ArrayList<>(List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC", "-cp", classPath, main));
                    row.address().forEach((part, value) -> arguments.add("--address.%s=%s".formatted(part, value)));
                    return new Target.RawClient(JavaCommand.of(arguments), state.environment());
                }));
    }

    /** Stops what this testbed started; a second time it does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (own) {
            for (Member.Kind kind : Member.Kind.values()) {
                List<ChildProcess> processes = stack.members().stream()
                        .filter(member -> member.kind() == kind)
                        .flatMap(member -> stack.process(member).stream())
                        .toList();
                Stack.stop(processes);
            }
            stack.forget();
        }
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
