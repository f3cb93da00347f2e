package dev.chatterbox.stack;

import dev.chatterbox.network.NetworkPlan;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.network.Upstream;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.PythonEnvironment;
import dev.chatterbox.rows.ResponderProgram;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.RowException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a stack consists of, with the ports moved by its offset: what its rows need and nothing else.
 *
 * @param rows by name
 * @param disabled rows that were chosen and cannot be had on this machine, with the reason in one line
 * @param control by which the live page rules the stack, if it has one
 * @param clients the environment variables by which clients find the brokers and responders
 * @param upstreams the ports to which its processes connect for the calls
 * @param network between its processes and these ports
 */
public record StackPlan(
        Stack stack,
        Selection selection,
        List<Row> rows,
        Map<String, String> disabled,
        List<PlannedBroker> brokers,
        List<Service> responders,
        Service aggregator,
        Optional<Service> control,
        Map<String, String> clients,
        List<Upstream> upstreams,
        NetworkPlan network) {

    static final int AGGREGATOR_PORT = 8080;

    /** The key of a network's process among the members of a stack. */
    static final String NETWORK = Member.key(Member.Kind.NETWORK, Toxiproxy.NAME);

    /**
     * The plan for rows, whether or not this machine can have them.
     *
     * @throws RowException a row, or the responder behind it, cannot be understood
     * @throws UsageException the stack's offset moves a port to where none is
     */
    public static StackPlan of(Stack stack, Selection selection) {
        return new StackPlanner(stack, NetworkPlan.NONE, Optional.empty()).plan(selection, Map.of());
    }

    /**
     * Of a stack that was started: with the rows that could be had then, on the same ports.
     *
     * @throws UsageException this checkout has no longer one of its rows
     * @throws RowException a row, or the responder behind it, cannot be understood any more
     */
    static StackPlan of(Stack stack) {
        StackState state = stack.state();
        List<String> names = new ArrayList<>(state.rows());
        names.addAll(state.disabled().keySet());
        Selection selection = Selection.of(stack.repository().rows(), names);
        return new StackPlanner(stack, state.network(), Optional.empty()).plan(selection, state.disabled());
    }

    /** A stack whose ports are all free, by the first of some offsets where there is none yet. */
    static Optional<Stack> free(Repository repository, Selection selection, IntStream offsets) {
        return offsets.mapToObj(repository::stack)
                .filter(stack ->
                        stack.members().isEmpty() && of(stack, selection).isFree())
                .findFirst();
    }

    boolean isFree() {
        return ports().stream().allMatch(use -> Ports.owner(use.getKey()).isEmpty());
    }

    /** The same with a network on free ports, which puts so many milliseconds into each round trip. */
    StackPlan over(int distanceMillis) {
        return new StackPlanner(stack, NetworkPlan.of(upstreams, distanceMillis), control).plan(selection, disabled);
    }

    /** The same with a service by which the live page rules the stack. */
    StackPlan with(Control control) {
        return new StackPlanner(stack, network, Optional.of(control.service(stack))).plan(selection, disabled);
    }

    /** The responders, the control service and, last, the aggregator. */
    List<Service> services() {
        return Stream.of(responders.stream(), control.stream(), Stream.of(aggregator))
                .flatMap(service -> service)
                .toList();
    }

    /** The services and the brokers. */
    List<Part> parts() {
        return Stream.<Part>concat(services().stream(), brokers.stream()).toList();
    }

    /** The keys of the members that calls of a row need. */
    List<String> keys(Row row) {
        return Stream.concat(
                        parts().stream()
                                .filter(part -> part == aggregator || uses(row, part))
                                .map(Part::key),
                        network.isPresent() ? Stream.of(NETWORK) : Stream.empty())
                .toList();
    }

    /** Every port, with who will listen on it. */
    public List<Map.Entry<Integer, String>> ports() {
        return ports(name -> true);
    }

    private List<Map.Entry<Integer, String>> ports(Predicate<String> process) {
        List<Map.Entry<Integer, String>> ports = new ArrayList<>();
        parts().stream()
                .filter(part -> process.test(part.name()))
                .forEach(part -> part.ports()
                        .forEach((role, port) -> ports.add(Map.entry(
                                port, role.equals(ResponderProgram.HTTP) ? part.name() : part.name() + " " + role))));
        return ports;
    }

    /** The services as a list of targets for Prometheus ({@code file_sd_configs}), in YAML: one to a line. */
    String prometheusTargets() {
        return services().stream()
                .filter(service -> !service.metrics().isEmpty())
                .map(service -> "- {targets: [\"localhost:%d\"], labels: {process: \"%s\", __metrics_path__: \"%s\"}}\n"
                        .formatted(service.port(), service.name(), service.metrics()))
                .collect(Collectors.joining());
    }

    /**
     * @param process whose ports are meant
     * @throws StackException a port is taken, or two processes would listen on it
     */
    void requireFree(Predicate<String> process) {
        Map<Integer, String> seen = new HashMap<>();
        List<String> troubles = new ArrayList<>();
        for (Map.Entry<Integer, String> use : ports(process)) {
            int port = use.getKey();
            String other = seen.put(port, use.getValue());
            if (other != null) {
                troubles.add("%d (%s) is also the port of %s".formatted(port, use.getValue(), other));
            }
            Ports.owner(port)
                    .ifPresent(owner -> troubles.add("%d (%s) is taken by %s".formatted(port, use.getValue(), owner)));
        }
        if (!troubles.isEmpty()) {
            throw new StackException("These ports are not free:%n  %s%nFree them, or move all ports: %s"
                    .formatted(
                            String.join("\n  ", troubles), "./chatterbox up --port-offset " + (stack.offset() + 1000)));
        }
    }

    /**
     * Gets the programs of others that the rows need, which may take minutes, once.
     *
     * @param distanceMillis of the network between its processes; empty for none
     * @param log takes a line for each program, which says where it comes from
     * @return the plan without the rows that were chosen only as part of all and cannot be had here
     * @throws ProcessException a row that was chosen by its name, or by default, cannot be had
     */
    StackPlan obtain(OptionalInt distanceMillis, Consumer<String> log) {
        Map<String, String> missing = new TreeMap<>();
        for (Part part : parts()) {
            try {
                part.obtain(line -> log.accept("  %s: %s".formatted(part.name(), line)));
            } catch (ProcessException e) {
                if (requires(part)) {
                    throw e;
                }
                List<String> lines = String.valueOf(e.getMessage()).lines().toList();
                rows.stream().filter(row -> uses(row, part)).forEach(row -> missing.put(row.name(), lines.get(0)));
                if (lines.size() > 1) {
                    log.accept("  %s: %s".formatted(part.name(), String.join("\n    ", lines)));
                }
            }
        }
        missing.forEach((row, reason) -> log.accept("  %s: disabled. %s".formatted(row, reason)));
        StackPlan plan = missing.isEmpty() ? this : new StackPlanner(stack, network, control).plan(selection, missing);
        if (distanceMillis.isEmpty()) {
            return plan;
        }
        log.accept("  %s: %s".formatted(Toxiproxy.NAME, Toxiproxy.program().origin()));
        Toxiproxy.program().obtain();
        return plan.over(distanceMillis.getAsInt());
    }

    /** The virtual environments that responders need, by the folders of their programs. */
    public Map<Path, PythonEnvironment> pythons() {
        return pythons(service -> true);
    }

    /** Those of them that a row needs which must start. */
    public Set<Path> requiredPythons() {
        return pythons(this::requires).keySet();
    }

    private Map<Path, PythonEnvironment> pythons(Predicate<Service> which) {
        Map<Path, PythonEnvironment> pythons = new TreeMap<>();
        responders.stream().filter(which).forEach(service -> {
            if (service.start() instanceof Service.Start.Python python) {
                pythons.put(python.program().folder(), python.environment());
            }
        });
        return pythons;
    }

    /** Whether a row that must start needs it. */
    public boolean requires(Part part) {
        return rows.stream().anyMatch(row -> selection.requires(row) && uses(row, part));
    }

    private static boolean uses(Row row, Part part) {
        return (part.kind() == Member.Kind.BROKER
                        ? row.broker().map(Row.Broker::name)
                        : row.responder().map(Row.Responder::name))
                .filter(part.name()::equals)
                .isPresent();
    }
}
