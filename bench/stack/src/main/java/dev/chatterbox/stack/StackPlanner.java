package dev.chatterbox.stack;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.Node;
import dev.chatterbox.network.NetworkLink;
import dev.chatterbox.network.NetworkPlan;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.variants.ResponderProgram;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.VariantException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Finds out what variants need: their brokers and responders, each once, and an aggregator that can reach all of them.
 */
final class StackPlanner {

    private static final int AGGREGATOR_HEAP = 512;

    /** The heap is the same for every responder, so that they can be compared. */
    private static final int RESPONDER_HEAP = 256;

    /** From one process of a service to its next: more than from the first port of a responder to the last one. */
    private static final int PORTS_OF_REPLICA = 50;

    private final Stack stack;
    private final NetworkPlan network;
    private final Optional<Control> control;

    /** The nodes of each broker; only one if it is no cluster. */
    private final Map<Variant.Broker, List<Part>> brokers = new LinkedHashMap<>();

    /** The processes of each responder. */
    private final Map<String, List<Part>> responders = new LinkedHashMap<>();

    /** The environment variables by which clients find brokers and responders. */
    private final Map<String, String> clients = new TreeMap<>();

    /** The variables that name the collector of traces; none if nothing is traced. */
    private final Map<String, String> collectors = new TreeMap<>();

    private final Map<String, NetworkLink> links = new TreeMap<>();

    /** @param control the service by which the live page rules the stack, if the stack has one */
    StackPlanner(Stack stack, NetworkPlan network, Optional<Control> control) {
        this.stack = stack;
        this.network = network;
        this.control = control;
    }

    /**
     * @param disabled variants of the selection that are not started, with the reason
     * @throws VariantException two processes would have the same name
     */
    StackPlan plan(Selection selection, Map<String, String> disabled) {
        if (selection.traces() > 0) {
            collectors.putAll(System.getenv());
            collectors.keySet().retainAll(Selection.COLLECTORS);
        }
        List<Variant> variants = selection.variants().stream()
                .filter(variant -> !disabled.containsKey(variant.name()))
                .toList();
        for (Variant variant : variants) {
            variant.broker().ifPresent(named -> addBroker(named, variant));
            variant.responder()
                    .ifPresent(responder -> addResponder(responder, variant, selection.replicas(responder.name())));
        }
        List<Part> parts = new ArrayList<>();
        if (network.isPresent()) {
            Part.Network all = new Part.Network(network, List.copyOf(links.values()));
            parts.add(new Part(Toxiproxy.NAME, Toxiproxy.NAME, Map.of(ResponderProgram.HTTP, network.port()), all));
        }
        responders.values().forEach(parts::addAll);
        control.ifPresent(service -> parts.add(service.part(stack, collectors)));
        IntStream.rangeClosed(1, selection.replicas(Repository.AGGREGATOR))
                .forEach(replica -> parts.add(aggregator(replica, selection, disabled)));
        brokers.values().forEach(parts::addAll);
        Set<String> names = new HashSet<>();
        for (Part part : parts) {
            if (!names.add(part.name())) {
                throw new VariantException(
                        "Two processes would have the name %s: give a responder another responder.name."
                                .formatted(part.name()));
            }
        }
        return new StackPlan(
                stack,
                selection,
                variants,
                disabled,
                List.copyOf(parts),
                Map.copyOf(clients),
                List.copyOf(links.values()),
                network);
    }

    private void addBroker(Variant.Broker named, Variant variant) {
        List<Part> nodes = brokers.computeIfAbsent(named, key -> nodes(named, broker(named, variant)));
        Broker broker = nodes.get(0).node().broker();
        // The broker that is no cluster, and whose settings are not changed, may be in the same stack, and clients of
        // both are in one process.
        String suffix =
                named.name().substring(broker.kind().length()).replace('-', '_').toUpperCase(Locale.ROOT);
        environment(nodes).forEach((variable, value) -> clients.put(variable + suffix, value));
        nodes.forEach(node -> addLink(node.name(), node.port(), Optional.of(broker.probe()), variant));
    }

    /** The environment variables by which a service finds a broker that is the only one of its kind. */
    private Map<String, String> environment(List<Part> nodes) {
        Broker broker = nodes.get(0).node().broker();
        return broker.environment(
                nodes.stream().map(node -> network.before(node.ports())).toList());
    }

    private List<Part> nodes(Variant.Broker named, Broker broker) {
        List<Map<String, Integer>> ports =
                broker.ports(named.nodes()).stream().map(each -> moved(1, each)).toList();
        return IntStream.rangeClosed(1, named.nodes())
                .mapToObj(number -> {
                    int client = Objects.requireNonNull(ports.get(number - 1).get("client"));
                    int before = network.before(client);
                    OptionalInt advertised = before == client ? OptionalInt.empty() : OptionalInt.of(before);
                    Node node = new Node(broker, number, ports, advertised, stack.directory(), List.of());
                    return new Part(node.name(), named.name(), node.own(), new Part.BrokerNode(node));
                })
                .toList();
    }

    private Broker broker(Variant.Broker named, Variant variant) {
        try {
            Broker broker = Class.forName(named.type())
                    .asSubclass(Broker.class)
                    .getConstructor()
                    .newInstance();
            if (named.isCluster() && !broker.clusters()) {
                throw new VariantException("variants/%s.properties: broker.nodes is %d, but %s runs as one node only."
                        .formatted(variant.name(), named.nodes(), broker.name()));
            }
            if (named.isCluster()
                    ? !named.name().startsWith(broker.name() + "-")
                    : !named.name().equals(broker.name())) {
                throw new VariantException("variants/%s.properties: broker is '%s', but %s calls itself '%s'%s."
                        .formatted(
                                variant.name(),
                                named.name(),
                                named.type(),
                                broker.name(),
                                named.isCluster() ? ", and a cluster's name begins with this and a hyphen" : ""));
            }
            return broker;
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new VariantException(
                    "variants/%s.properties: broker.class %s is not a class with a public constructor without parameters that implements %s."
                            .formatted(variant.name(), named.type(), Broker.class.getName()));
        }
    }

    private void addResponder(Variant.Responder responder, Variant variant, int replicas) {
        ResponderProgram program = stack.repository().program(responder);
        List<Part> processes = responders.computeIfAbsent(
                responder.name(),
                name -> IntStream.rangeClosed(1, replicas)
                        .mapToObj(replica -> responder(name, replica, variant, program))
                        .toList());
        Map<String, String> addresses = new TreeMap<>();
        for (Part process : processes) {
            // Of several responders with ports of their own, a client gets a list of addresses.
            ResponderProgram.aggregatorEnvironment(variant, network.before(process.ports()))
                    .forEach((variable, value) -> addresses.merge(variable, value, (all, next) -> all + "," + next));
            for (String role : ResponderProgram.aggregatorRoles(variant)) {
                addLink(
                        role.equals(ResponderProgram.HTTP) ? process.name() : process.name() + "-" + role,
                        Objects.requireNonNull(process.ports().get(role)),
                        Optional.ofNullable(program.probes().get(role))
                                .map(probe -> new Probe(probe.request(), probe.reply())),
                        variant);
            }
        }
        clients.putAll(addresses);
    }

    private Part responder(String name, int replica, Variant variant, ResponderProgram program) {
        Map<String, Integer> ports =
                moved(replica, program.ports(variant.responder().orElseThrow()));
        Map<String, String> environment = new TreeMap<>();
        variant.broker().map(brokers::get).ifPresent(nodes -> environment.putAll(environment(nodes)));
        environment.putAll(program.environment(variant, ports));
        environment.putAll(collectors);
        Part.Paths paths = new Part.Paths(
                program.health(), program.metrics(), program.faults().orElse(""));
        return service(name, replica, ports, new Part.Service(paths, environment, program(program)));
    }

    private static Part.Program program(ResponderProgram program) {
        ResponderProgram.Start start = program.start();
        if (start.jar().isPresent()) {
            return new Part.Jar(program.folder(), start.jar().get(), start.java(), RESPONDER_HEAP, List.of());
        }
        return start.python().isPresent()
                ? new Part.Python(program)
                : new Part.Command(program.folder(), start.command());
    }

    private Part aggregator(int replica, Selection selection, Map<String, String> disabled) {
        Repository repository = stack.repository();
        int port = moved(replica, StackPlan.AGGREGATOR_PORT);
        Map<String, String> environment = new TreeMap<>(clients);
        environment.put("SERVER_PORT", Integer.toString(port));
        environment.put("CHATTERBOX_TRANSPORTS", String.join(",", selection.names()));
        environment.put("CHATTERBOX_INSTANCE", Integer.toString(replica - 1));
        environment.putAll(collectors);
        if (selection.traces() > 0) {
            environment.put("CHATTERBOX_TRACES", Double.toString(selection.traces()));
        }
        if (control.isPresent()) {
            environment.put("CHATTERBOX_CONTROL", Integer.toString(Control.port(stack)));
        }
        repository.furtherVariants().ifPresent(folder -> environment.put(Repository.VARIANTS, folder.toString()));
        Path module = repository.root().resolve(Repository.AGGREGATOR);
        List<String> arguments = disabled.entrySet().stream()
                .map(entry -> "--chatterbox.disabled.%s=%s".formatted(entry.getKey(), entry.getValue()))
                .toList();
        return service(
                Repository.AGGREGATOR,
                replica,
                Map.of(ResponderProgram.HTTP, port),
                new Part.Service(
                        new Part.Paths("/actuator/health", "/actuator/prometheus", ""),
                        environment,
                        new Part.Jar(module, "target/*-exec.jar", 17, AGGREGATOR_HEAP, arguments)));
    }

    /** One of a service's processes: the first one has the name that all share. */
    private static Part service(String name, int replica, Map<String, Integer> ports, Part.Service service) {
        return new Part(replica == 1 ? name : name + "-" + replica, name, ports, service);
    }

    private void addLink(String name, int port, Optional<Probe> probe, Variant variant) {
        links.merge(
                name,
                new NetworkLink(name, network.before(port), port, probe, Set.of(variant.name())),
                NetworkLink::with);
    }

    /** The ports of one of a service's processes, by role. */
    private Map<String, Integer> moved(int replica, Map<String, Integer> ports) {
        Map<String, Integer> moved = new LinkedHashMap<>(ports);
        moved.replaceAll((role, port) -> moved(replica, port));
        return moved;
    }

    private int moved(int replica, int port) {
        return stack.port(port + PORTS_OF_REPLICA * (replica - 1));
    }
}
