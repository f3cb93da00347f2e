package dev.chatterbox.stack;

import dev.chatterbox.brokers.Leaders;
import dev.chatterbox.testbed.Target;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The stack that a comparison runs on: a stack that {@code up} started, or else one of the comparison's own, which ends
 * with this JVM, however that ends. While a testbed is open, neither {@code up} nor {@code down} may touch the stack.
 */
public final class Testbed implements AutoCloseable {

    private static final String MEMORY = "memory";

    private final Stack stack;
    private final Stack.Lock lock;
    private final boolean own;
    private final List<String> rows;
    private final Steps steps;
    private boolean closed;

    private Testbed(Stack stack, Stack.Lock lock, boolean own, List<String> rows, Steps steps) {
        this.stack = stack;
        this.lock = lock;
        this.own = own;
        this.rows = rows;
        this.steps = steps;
    }

    /**
     * @param offset of the ports; if it is empty, another offset is chosen when the usual ports are not free
     * @param names that choose rows; if there are none, the rows that run, or else the default rows
     * @param distanceMillis the longest distance that is to be set between the processes; 0 for none
     * @throws StackException a stack runs, but not all of it; or no stack runs, and a new one could not be started
     * @throws UsageException a stack runs, but lacks a chosen row, or the network that a distance needs
     * @throws ProcessException a process could not be started
     */
    public static Testbed open(
            Repository repository, Optional<Integer> offset, List<String> names, int distanceMillis, Steps steps)
            throws IOException {
        Selection selection = Selection.of(repository.rows(), names);
        Stack stack = repository.stack(offset.orElse(0));
        StackPlan plan = StackPlan.of(stack, selection);
        Stack.Lock lock = stack.lock();
        try {
            if (stack.runs()) {
                steps.line(
                        "Using the stack that runs. (To compare on a fresh one: %s)".formatted(stack.command("down")));
                requireNetwork(stack, selection, distanceMillis);
                return new Testbed(stack, lock, false, rowsOf(stack, selection), steps);
            }
            if (offset.isEmpty() && !plan.isFree()) {
                lock.close();
                IntStream offsets = IntStream.rangeClosed(1, 20).map(n -> n * 1000);
                stack = StackPlan.free(repository, selection, offsets)
                        .orElseThrow(
                                () -> new StackException("No free ports were found. To choose them: --port-offset N"));
                lock = stack.lock();
                plan = StackPlan.of(stack, selection);
                steps.line("Some of the usual ports are taken, so all are moved by %d.".formatted(stack.offset()));
            }
            // If any distance is measured, every measurement uses the network.
            plan = plan.obtain(distanceMillis > 0 ? OptionalInt.of(0) : OptionalInt.empty(), line -> {});
            plan.disabled().forEach((row, reason) -> steps.line("Not compared: %s. %s".formatted(row, reason)));
            try (Stack.Lock processes = stack.lockProcesses()) {
                Startup.all(plan, Lifetime.WITH_PARENT, steps);
            }
            return new Testbed(stack, lock, true, names(plan.rows()), steps);
        } catch (RuntimeException | IOException e) {
            lock.close();
            throw e;
        }
    }

    private static List<String> rowsOf(Stack stack, Selection selection) {
        StackState state = stack.state();
        if (selection.chosen().isEmpty()) {
            return state.rows();
        }
        List<Row> wanted = selection.rows().stream()
                // A row that was chosen only as part of all, and could not be started with this stack, is left out.
                .filter(row -> selection.requires(row) || !state.disabled().containsKey(row.name()))
                .toList();
        List<String> missing = names(wanted).stream()
                .filter(name -> !state.rows().contains(name))
                .toList();
        if (!missing.isEmpty()) {
            throw new UsageException("The stack that runs has %s, and not %s. To start one that has: %s && %s"
                    .formatted(
                            String.join(", ", state.rows()),
                            String.join(", ", missing),
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

    /** The names of those chosen rows that can be compared on this stack. */
    public List<String> rows() {
        return rows;
    }

    /** @throws StackException a row that runs has no file any more */
    public Target target() {
        Rows known = stack.repository().rows();
        StackState state = stack.state();
        StackPlan plan = plan();
        // The row memory is in every aggregator, whatever rows were chosen.
        Stream<String> zero = known.find(MEMORY).map(Row::name).filter(row -> !rows.contains(row)).stream();
        List<Target.RowTarget> targets = Stream.concat(rows.stream(), zero)
                .map(name -> known.find(name)
                        .orElseThrow(() -> new StackException(
                                "The stack that runs has the row %s, which this checkout has not. To start it anew: %s"
                                        .formatted(name, stack.command("down")))))
                .map(row -> target(row, plan, state))
                .toList();
        return new Target(
                service(Repository.AGGREGATOR, plan.aggregators()),
                targets,
                stack.members().stream().map(Member::process).toList(),
                network().map(found -> found),
                versions(plan));
    }

    private Map<String, String> versions(StackPlan plan) {
        Map<String, String> versions = new TreeMap<>();
        for (PlannedBroker broker : plan.brokers()) {
            try {
                long pid = process(Member.Kind.BROKER, broker.name()).pid();
                versions.put(broker.name(), broker.version(pid));
            } catch (IOException e) {
                // A version that is not known is left out of the results.
            }
        }
        return versions;
    }

    private Target.RowTarget target(Row row, StackPlan plan, StackState state) {
        return new Target.RowTarget(
                row,
                row.responder().map(responder -> service(responder.name(), plan.responders(row))),
                row.responder()
                        .map(responder -> stack.repository().program(responder).metrics()),
                plan.brokers(row).stream()
                        .map(broker -> process(Member.Kind.BROKER, broker.name()))
                        .toList(),
                leaders(row, plan),
                QueuePrograms.of(stack.repository(), row, state.environment()),
                rawClient(row, state));
    }

    private Optional<String> leaders(Row row, StackPlan plan) {
        List<PlannedBroker> nodes = plan.brokers(row);
        if (nodes.size() < 2) {
            return Optional.empty();
        }
        try {
            return Optional.of(leaders(row, nodes.get(0).name()).text());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Asks a row's cluster who leads; takes seconds.
     *
     * @param name of a node that serves
     * @throws IOException the cluster does not say it
     */
    public Leaders leaders(Row row, String name) throws IOException {
        PlannedBroker node = plan().brokers(row).stream()
                .filter(broker -> broker.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new StackException("%s has no node %s.".formatted(row.name(), name)));
        return node.leaders(stack.directory(), row);
    }

    /** Whether this testbed started the stack, and so stops it. */
    public boolean own() {
        return own;
    }

    public Stack stack() {
        return stack;
    }

    /**
     * Ends the aggregator and the responders, and starts new ones. The brokers stay, with what they have learnt.
     *
     * @throws StackException a row does not answer right again
     */
    void restartServices(Control control) {
        List<Member> services = stack.members().stream()
                .filter(member -> member.kind() == Member.Kind.SERVICE)
                .toList();
        Startup.again(stack, services, control, Lifetime.WITH_PARENT, steps);
    }

    /** The network between the processes; empty if they are connected directly. */
    public Optional<Toxiproxy> network() {
        return stack.network(plan().upstreams());
    }

    private StackPlan plan() {
        return StackPlan.of(stack, Selection.of(stack.repository().rows(), rows).as(stack.state()));
    }

    private Target.Service service(String name, List<Service> processes) {
        return new Target.Service(
                name,
                processes.stream()
                        .map(process -> process(Member.Kind.SERVICE, process.name()))
                        .toList());
    }

    private Target.Process process(Member.Kind kind, String name) {
        return stack.member(kind, name)
                .map(Member::process)
                .orElseThrow(() -> new StackException("The stack that runs has no %s. To start it anew: %s"
                        .formatted(Member.key(kind, name), stack.command("down"))));
    }

    private Optional<Target.Program> rawClient(Row row, StackState state) {
        boolean severalAddresses = !row.aggregatorEnvironment().isEmpty()
                && row.responder()
                        .filter(responder -> state.replicas().getOrDefault(responder.name(), 1) > 1)
                        .isPresent();
        // A bare client takes one address.
        return row.rawClient()
                .filter(main -> !severalAddresses)
                .flatMap(main -> stack.repository().rawClients().map(classPath -> {
                    List<String> arguments =
                            new ArrayList<>(List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC", "-cp", classPath, main));
                    row.address().forEach((part, value) -> arguments.add("--address.%s=%s".formatted(part, value)));
                    return new Target.Program(JavaCommand.of(arguments), state.environment());
                }));
    }

    /** Stops the stack if this testbed started it. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (own) {
            for (Member.Kind kind : Member.Kind.values()) {
                stack.stop(kind);
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
