package dev.chatterbox.stack;

import dev.chatterbox.network.NetworkLink;
import dev.chatterbox.network.NetworkPlan;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.variants.ResponderProgram;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.VariantException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the variants of a stack need, and nothing else, on ports that are moved by the stack's offset.
 *
 * @param variants the variants that are started, by name
 * @param disabled variants that were chosen but that this machine cannot have, with the reason in one line
 * @param parts the processes: the network first, if there is one, then services and brokers
 * @param clients the environment variables by which clients find the brokers and responders
 * @param links the ports to which the stack's processes connect for calls
 * @param network the network between the processes and these ports
 */
public record StackPlan(
        Stack stack,
        Selection selection,
        List<Variant> variants,
        Map<String, String> disabled,
        List<Part> parts,
        Map<String, String> clients,
        List<NetworkLink> links,
        NetworkPlan network) {

    static final int AGGREGATOR_PORT = 8080;

    // Megabytes, measured under load: the aggregator with a load generator, and the share of each further aggregator,
    // of each responder and of each broker, or node of a cluster.
    private static final long BASE_MEMORY = 1300;
    private static final long AGGREGATOR_MEMORY = 520;
    private static final long RESPONDER_MEMORY = 380;
    private static final long BROKER_MEMORY = 320;

    /**
     * The plan for variants, whether or not this machine can have their programs.
     *
     * @throws VariantException the file of a variant or of its responder has a mistake
     * @throws UsageException the stack's offset moves a port out of the range of ports
     */
    public static StackPlan of(Stack stack, Selection selection) {
        return new StackPlanner(stack, NetworkPlan.NONE, Optional.empty()).plan(selection, Map.of());
    }

    /**
     * The plan of a stack that was started: with the variants that this machine could have then, on the same ports.
     *
     * @throws VariantException this checkout no longer has one of the variants, or the file of a variant or of its
     *     responder has a mistake now
     */
    static StackPlan of(Stack stack, Optional<Control> control) {
        StackState state = stack.state();
        List<String> names = new ArrayList<>(state.variants());
        names.addAll(state.disabled().keySet());
        return of(stack, names, state.disabled(), control);
    }

    /** The plan for some variants of a stack that was started. */
    static StackPlan of(Stack stack, List<String> variants, Map<String, String> disabled, Optional<Control> control) {
        StackState state = stack.state();
        Selection selection = new Selection(
                stack.repository().variants().choose(variants), variants, state.replicas(), state.traces(), false);
        return new StackPlanner(stack, state.network(), control).plan(selection, disabled);
    }

    /** A stack that was not started and whose ports are all free, with the first of the offsets that allows it. */
    static Optional<Stack> free(Repository repository, Selection selection, IntStream offsets) {
        return offsets.mapToObj(repository::stack)
                .filter(stack ->
                        stack.members().isEmpty() && of(stack, selection).isFree())
                .findFirst();
    }

    boolean isFree() {
        return ports().stream().allMatch(use -> Ports.owner(use.getKey()).isEmpty());
    }

    /** The same plan with a network on free ports, which adds a distance in milliseconds to each round trip. */
    StackPlan over(int distanceMillis) {
        return new StackPlanner(stack, NetworkPlan.of(links, distanceMillis), Optional.empty())
                .plan(selection, disabled);
    }

    /** The same plan with a service by which the live page rules the stack. */
    StackPlan with(Control control) {
        return new StackPlanner(stack, network, Optional.of(control)).plan(selection, disabled);
    }

    private Stream<Part> parts(Member.Kind kind) {
        return parts.stream().filter(part -> part.kind() == kind);
    }

    /** The aggregator's processes; the first one is on the port that people know. */
    public List<Part> aggregators() {
        return parts.stream().filter(StackPlan::isAggregator).toList();
    }

    private static boolean isAggregator(Part part) {
        return part.group().equals(Repository.AGGREGATOR);
    }

    boolean hasControl() {
        return parts.stream().anyMatch(part -> part.name().equals(Control.NAME));
    }

    /** The processes of the responders, also further ones of the same responder. */
    List<Part> responders() {
        return variants.stream()
                .flatMap(variant -> responders(variant).stream())
                .distinct()
                .toList();
    }

    /** The processes of a variant's responder. */
    List<Part> responders(Variant variant) {
        return parts(Member.Kind.SERVICE).filter(part -> uses(variant, part)).toList();
    }

    List<Part> brokers() {
        return parts(Member.Kind.BROKER).toList();
    }

    /** The broker of a variant, or the nodes of its cluster; none if it has no broker. */
    List<Part> brokers(Variant variant) {
        return parts(Member.Kind.BROKER).filter(part -> uses(variant, part)).toList();
    }

    /** The parts that calls of a variant need. */
    List<Part> needs(Variant variant) {
        return parts.stream()
                .filter(part -> isAggregator(part) || part.kind() == Member.Kind.NETWORK || uses(variant, part))
                .toList();
    }

    /**
     * Those parts without which the responder of a variant cannot be well, and which are not there: its network and its
     * broker. Of a cluster these are the missing nodes, if most of its nodes are missing.
     */
    List<Part> missing(Variant variant, Predicate<Part> isThere) {
        List<Part> nodes = brokers(variant);
        List<Part> lost = nodes.stream().filter(isThere.negate()).toList();
        boolean serves = 2 * lost.size() < nodes.size();
        return Stream.concat(
                        parts(Member.Kind.NETWORK).filter(isThere.negate()), serves ? Stream.empty() : lost.stream())
                .toList();
    }

    /** The memory in bytes that all of it needs under load. */
    public long neededMemory() {
        return BASE_MEMORY
                        + AGGREGATOR_MEMORY * (aggregators().size() - 1)
                        + RESPONDER_MEMORY * responders().size()
                        + BROKER_MEMORY * brokers().size()
                << 20;
    }

    /**
     * Refuses clusters and further processes of services that do not fit, before a process is started: where memory is
     * short, nodes would miss each other's heartbeats.
     *
     * @param available bytes of memory
     * @throws UsageException it is more than the usual variants, and needs more
     */
    void requireMemory(long available) {
        boolean isLarge = !selection.replicas().isEmpty()
                || variants.stream()
                        .flatMap(variant -> variant.broker().stream())
                        .anyMatch(Variant.Broker::isCluster);
        if (isLarge && available < neededMemory()) {
            throw new UsageException(
                    "These variants need %.1f GB of memory, and %.1f GB are free: choose fewer with --transports, or end other programs; ./chatterbox doctor says what each needs."
                            .formatted(neededMemory() / 1e9, available / 1e9));
        }
    }

    /** Every port that the offset moves, with the name of the process that will listen on it. */
    public List<Map.Entry<Integer, String>> ports() {
        return ports(name -> true);
    }

    private List<Map.Entry<Integer, String>> ports(Predicate<String> process) {
        List<Map.Entry<Integer, String>> ports = new ArrayList<>();
        parts.stream()
                .filter(part -> part.kind() != Member.Kind.NETWORK && process.test(part.name()))
                .forEach(part -> part.ports()
                        .forEach((role, port) -> ports.add(Map.entry(
                                port, role.equals(ResponderProgram.HTTP) ? part.name() : part.name() + " " + role))));
        return ports;
    }

    /**
     * The services as a YAML list of targets for Prometheus ({@code file_sd_configs}), one target on each line. Several
     * processes of a service have its name, as its containers have.
     */
    String prometheusTargets() {
        return parts.stream()
                .filter(part -> !part.paths().metrics().isEmpty())
                .map(part -> "- {targets: [\"localhost:%d\"], labels: {process: \"%s\", __metrics_path__: \"%s\"}}\n"
                        .formatted(part.port(), part.group(), part.paths().metrics()))
                .collect(Collectors.joining());
    }

    /**
     * @param process says of a process's name whether its ports are checked
     * @throws ProcessException a port is taken, or two processes would listen on it
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
            throw new ProcessException("These ports are not free:%n  %s%nFree them, or move all ports: %s"
                    .formatted(
                            String.join("\n  ", troubles), "./chatterbox up --port-offset " + (stack.offset() + 1000)));
        }
    }

    /**
     * Gets the programs of other projects that the variants need. That may take minutes the first time.
     *
     * @param distanceMillis of the network between the stack's processes; empty if there is to be no network
     * @param log takes a line for each program, which says where the program comes from
     * @return the plan without the variants that were chosen only as part of all and that this machine cannot have
     * @throws ProcessException this machine cannot have a variant that was chosen by its name or by default
     */
    StackPlan obtain(OptionalInt distanceMillis, Consumer<String> log) {
        Map<String, String> missing = new TreeMap<>();
        for (Part part : parts) {
            try {
                part.obtain(log);
            } catch (ProcessException e) {
                if (requires(part)) {
                    throw e;
                }
                List<String> lines = String.valueOf(e.getMessage()).lines().toList();
                variants.stream()
                        .filter(variant -> uses(variant, part))
                        .forEach(variant -> missing.put(variant.name(), lines.get(0)));
                if (lines.size() > 1) {
                    log.accept("  %s: %s".formatted(part.name(), String.join("\n    ", lines)));
                }
            }
        }
        missing.forEach((variant, reason) -> log.accept("  %s: disabled. %s".formatted(variant, reason)));
        StackPlan plan =
                missing.isEmpty() ? this : new StackPlanner(stack, network, Optional.empty()).plan(selection, missing);
        if (distanceMillis.isEmpty()) {
            return plan;
        }
        log.accept("  %s: %s".formatted(Toxiproxy.NAME, Toxiproxy.program().origin()));
        Toxiproxy.program().obtain();
        return plan.over(distanceMillis.getAsInt());
    }

    /** Whether a variant that must start needs the part. */
    public boolean requires(Part part) {
        return variants.stream().anyMatch(variant -> selection.requires(variant) && uses(variant, part));
    }

    /** Whether it is a process of the variant's broker or responder. */
    private static boolean uses(Variant variant, Part part) {
        Optional<String> group = part.kind() == Member.Kind.BROKER
                ? variant.broker().map(Variant.Broker::name)
                : variant.responder().map(Variant.Responder::name);
        return group.filter(part.group()::equals).isPresent();
    }
}
