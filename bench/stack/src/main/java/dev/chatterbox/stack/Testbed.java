package dev.chatterbox.stack;

import dev.chatterbox.brokers.Leaders;
import dev.chatterbox.brokers.Node;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.Io;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.variants.Variant;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The stack that a comparison runs on: a stack that {@code up} started, or else one of the comparison's own, which ends
 * with this JVM, however that ends. While a testbed is open, neither {@code up} nor {@code down} may touch the stack.
 */
public final class Testbed implements AutoCloseable {

    private static final String MEMORY = "memory";

    private final Stack stack;
    private final Stack.Lock lock;
    private final boolean own;
    private final StackPlan plan;
    private final Steps steps;

    /** Null until somebody asks, and after the services were started again. */
    private @Nullable Target target;

    private boolean closed;

    private Testbed(Stack stack, Stack.Lock lock, boolean own, List<String> variants, Steps steps) {
        this.stack = stack;
        this.lock = lock;
        this.own = own;
        this.plan = StackPlan.of(stack, variants, Map.of(), Optional.empty());
        this.steps = steps;
    }

    /**
     * @param offset of the ports; if it is empty, another offset is chosen when the usual ports are not free
     * @param names that choose variants; if there are none, the variants that run, or else the default variants
     * @param distanceMillis the longest distance that is to be set between the processes; 0 for none
     * @throws ProcessException a stack runs, but not all of it; or no stack runs, and a new one could not be started
     * @throws UsageException a stack runs, but lacks a chosen variant, or the network that a distance needs
     */
    public static Testbed open(
            Repository repository, Optional<Integer> offset, List<String> names, int distanceMillis, Steps steps) {
        Selection selection = Selection.of(repository.variants(), names);
        Stack stack = repository.stack(offset.orElse(0));
        StackPlan plan = StackPlan.of(stack, selection);
        Stack.Lock lock = stack.lock();
        try {
            if (stack.runs()) {
                steps.line(
                        "Using the stack that runs. (To compare on a fresh one: %s)".formatted(stack.command("down")));
                if (distanceMillis > 0 && stack.network(List.of()).isEmpty()) {
                    throw stack.withoutNetwork(selection, distanceMillis);
                }
                return new Testbed(stack, lock, false, variantsOf(stack, selection), steps);
            }
            if (offset.isEmpty() && !plan.isFree()) {
                lock.close();
                IntStream offsets = IntStream.rangeClosed(1, 20).map(n -> n * 1000);
                stack = StackPlan.free(repository, selection, offsets)
                        .orElseThrow(() ->
                                new ProcessException("No free ports were found. To choose them: --port-offset N"));
                lock = stack.lock();
                plan = StackPlan.of(stack, selection);
                steps.line("Some of the usual ports are taken, so all are moved by %d.".formatted(stack.offset()));
            }
            // If any distance is measured, every measurement uses the network.
            plan = plan.obtain(distanceMillis > 0 ? OptionalInt.of(0) : OptionalInt.empty(), line -> {});
            plan.disabled().forEach((variant, reason) -> steps.line("Not compared: %s. %s".formatted(variant, reason)));
            try (Stack.Lock processes = stack.lockProcesses()) {
                Startup.all(plan, Lifetime.WITH_PARENT, steps);
            }
            return new Testbed(stack, lock, true, names(plan.variants()), steps);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static List<String> variantsOf(Stack stack, Selection selection) {
        StackState state = stack.state();
        if (selection.chosen().isEmpty()) {
            return state.variants();
        }
        List<Variant> wanted = selection.variants().stream()
                // A variant that was chosen only as part of all, and could not be started with this stack, is left out.
                .filter(variant ->
                        selection.requires(variant) || !state.disabled().containsKey(variant.name()))
                .toList();
        List<String> missing = names(wanted).stream()
                .filter(name -> !state.variants().contains(name))
                .toList();
        if (!missing.isEmpty()) {
            throw stack.lacks(missing, selection.option());
        }
        return names(wanted);
    }

    private static List<String> names(List<Variant> variants) {
        return variants.stream().map(Variant::name).toList();
    }

    /** The names of those chosen variants that can be compared on this stack. */
    public List<String> variants() {
        return names(plan.variants());
    }

    /** The running system; to find out the first time takes seconds, because the clusters are asked who leads. */
    public Target target() {
        if (target == null) {
            // The variant memory is in every aggregator, whatever variants were chosen.
            Optional<Variant> zero = stack.repository()
                    .variants()
                    .find(MEMORY)
                    .filter(variant -> !variants().contains(MEMORY));
            target = new Target(
                    service(Repository.AGGREGATOR, plan.aggregators()),
                    Stream.concat(plan.variants().stream(), zero.stream())
                            .map(this::target)
                            .toList(),
                    stack.members(),
                    network(),
                    versions());
        }
        return target;
    }

    private Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        for (Part part : plan.brokers()) {
            // A version that is not known is left out of the results.
            Node node = part.node();
            Io.ifPossible(() -> node.broker().version(node, member(part).pid()))
                    .ifPresent(version -> versions.put(part.name(), version));
        }
        return versions;
    }

    private Target.VariantTarget target(Variant variant) {
        ClientPrograms clients =
                new ClientPrograms(stack.repository(), variant, stack.state().environment());
        List<Part> responders = plan.responders(variant);
        List<Part> nodes = plan.brokers(variant);
        // A bare client takes one address.
        boolean oneAddress = variant.client().environment().isEmpty() || responders.size() < 2;
        return new Target.VariantTarget(
                variant,
                variant.responder().map(responder -> service(responder.name(), responders)),
                responders.stream().map(part -> part.paths().metrics()).findFirst(),
                members(nodes),
                nodes.size() < 2
                        ? Optional.empty()
                        : Io.ifPossible(() -> leaders(variant).text()),
                clients.queue(),
                oneAddress ? clients.bare() : Optional.empty());
    }

    /**
     * Asks the first node of a variant's cluster who leads; takes seconds.
     *
     * @throws IOException the cluster does not say it
     */
    public Leaders leaders(Variant variant) throws IOException {
        Node node = plan.brokers(variant).get(0).node();
        return node.broker().leaders(node, variant.address());
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
     * @throws ProcessException a variant does not answer right again
     */
    void restartServices(Control control) {
        List<Member> services = stack.members().stream()
                .filter(member -> member.kind() == Member.Kind.SERVICE)
                .toList();
        Startup.again(stack, services, control, Lifetime.WITH_PARENT, steps);
        target = null;
    }

    /** The network between the processes; empty if they are connected directly. */
    public Optional<Toxiproxy> network() {
        return stack.network(plan.links());
    }

    private Target.Service service(String name, List<Part> parts) {
        return new Target.Service(name, members(parts));
    }

    private List<Member> members(List<Part> parts) {
        return parts.stream().map(this::member).toList();
    }

    private Member member(Part part) {
        return stack.member(part.name())
                .orElseThrow(() -> new ProcessException("The stack that runs has no %s. To start it again: %s"
                        .formatted(part.name(), stack.command("down"))));
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
        lock.close();
    }
}
