package dev.chatterbox.stack;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.Node;
import dev.chatterbox.network.NetworkPlan;
import dev.chatterbox.network.Upstream;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.rows.ResponderProgram;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.RowException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Finds out what rows need: their brokers and responders, each once, and an aggregator that can reach all of them. */
final class StackPlanner {

    private static final int AGGREGATOR_HEAP = 512;

    /** The heap is the same for every responder, so that they can be compared. */
    private static final int RESPONDER_HEAP = 256;

    /** From one process of a service to its next: more than from the first port of a responder to the last one. */
    private static final int PORTS_OF_REPLICA = 50;

    private final Stack stack;
    private final NetworkPlan network;
    private final Optional<Service> control;

    /** The nodes of each broker; only one if it is no cluster. */
    private final Map<Row.Broker, List<PlannedBroker>> brokers = new LinkedHashMap<>();

    /** The processes of each responder. */
    private final Map<String, List<Service>> responders = new LinkedHashMap<>();

    /** The environment variables by which clients find brokers and responders. */
    private final Map<String, String> clients = new TreeMap<>();

    private final Map<String, Upstream> upstreams = new TreeMap<>();

    /** @param control the service by which the live page rules the stack, if the stack has one */
    StackPlanner(Stack stack, NetworkPlan network, Optional<Service> control) {
        this.stack = stack;
        this.network = network;
        this.control = control;
    }

    /** @param disabled rows of the selection that are not started, with the reason */
    StackPlan plan(Selection selection, Map<String, String> disabled) {
        List<Row> rows = selection.rows().stream()
                .filter(row -> !disabled.containsKey(row.name()))
                .toList();
        for (Row row : rows) {
            row.broker().ifPresent(named -> addBroker(named, row));
            row.responder().ifPresent(responder -> addResponder(responder, row, selection.replicas(responder.name())));
        }
        return new StackPlan(
                stack,
                selection,
                rows,
                disabled,
                brokers.values().stream().flatMap(List::stream).toList(),
                responders.values().stream().flatMap(List::stream).toList(),
                IntStream.rangeClosed(1, selection.replicas(Repository.AGGREGATOR))
                        .mapToObj(replica -> aggregator(replica, selection, disabled))
                        .toList(),
                control,
                Map.copyOf(clients),
                List.copyOf(upstreams.values()),
                network);
    }

    private void addBroker(Row.Broker named, Row row) {
        List<PlannedBroker> nodes = brokers.computeIfAbsent(named, key -> nodes(named, row));
        Broker broker = nodes.get(0).broker();
        // The broker that is no cluster may be in the same stack, and clients of both are in one process.
        String suffix =
                named.name().substring(broker.name().length()).replace('-', '_').toUpperCase(Locale.ROOT);
        environment(nodes).forEach((variable, value) -> clients.put(variable + suffix, value));
        nodes.forEach(node -> addUpstream(node.name(), node.clientPort(), Optional.of(broker.probe()), row));
    }

    /** The environment variables by which a service finds a broker that is the only one of its kind. */
    private static Map<String, String> environment(List<PlannedBroker> nodes) {
        return nodes.get(0)
                .broker()
                .environment(nodes.stream().map(PlannedBroker::reached).toList());
    }

    private List<PlannedBroker> nodes(Row.Broker named, Row row) {
        Broker broker = broker(named, row);
        List<Map<String, Integer>> ports = named.isCluster()
                ? IntStream.rangeClosed(1, named.nodes())
                        .mapToObj(number -> moved(broker.portsOfNode(number)))
                        .toList()
                : List.of(moved(broker.defaultPorts()));
        return IntStream.rangeClosed(1, named.nodes())
                .mapToObj(number -> {
                    Node node = new Node(number, ports);
                    return new PlannedBroker(named, broker, node, network.before(node.own()));
                })
                .toList();
    }

    private Broker broker(Row.Broker named, Row row) {
        try {
            Broker broker = Class.forName(named.type())
                    .asSubclass(Broker.class)
                    .getConstructor()
                    .newInstance();
            if (named.isCluster() && !broker.clusters()) {
                throw new RowException("rows/%s.properties: broker.nodes is %d, but %s runs as one node only."
                        .formatted(row.name(), named.nodes(), broker.name()));
            }
            if (named.isCluster()
                    ? !named.name().startsWith(broker.name() + "-")
                    : !named.name().equals(broker.name())) {
                throw new RowException("rows/%s.properties: broker is '%s', but %s calls itself '%s'%s."
                        .formatted(
                                row.name(),
                                named.name(),
                                named.type(),
                                broker.name(),
                                named.isCluster() ? ", and a cluster's name begins with this and a hyphen" : ""));
            }
            return broker;
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new RowException(
                    "rows/%s.properties: broker.class %s is not a class with a public constructor without parameters that implements %s."
                            .formatted(row.name(), named.type(), Broker.class.getName()));
        }
    }

    private void addResponder(Row.Responder responder, Row row, int replicas) {
        ResponderProgram program = stack.repository().program(responder);
        List<Service> processes = responders.computeIfAbsent(
                responder.name(),
                name -> IntStream.rangeClosed(1, replicas)
                        .mapToObj(replica ->
                                service(name, replica, row, program, moved(replica, program.ports(responder))))
                        .toList());
        Map<String, String> addresses = new TreeMap<>();
        for (Service process : processes) {
            Map<String, Integer> ports = process.ports();
            // Of several responders with ports of their own, a client gets a list of addresses.
            ResponderProgram.aggregatorEnvironment(row, network.before(ports))
                    .forEach((variable, value) -> addresses.merge(variable, value, (list, one) -> list + "," + one));
            for (String role : ResponderProgram.aggregatorRoles(row)) {
                addUpstream(
                        role.equals(ResponderProgram.HTTP) ? process.name() : process.name() + "-" + role,
                        Objects.requireNonNull(ports.get(role)),
                        Optional.ofNullable(program.probes().get(role))
                                .map(probe -> new Probe(probe.request(), probe.reply())),
                        row);
            }
        }
        clients.putAll(addresses);
    }

    private Service service(String name, int replica, Row row, ResponderProgram program, Map<String, Integer> ports) {
        Map<String, String> environment = new TreeMap<>();
        row.broker().map(brokers::get).ifPresent(nodes -> environment.putAll(environment(nodes)));
        environment.putAll(program.environment(row, ports));
        return new Service(
                name,
                replica,
                ports,
                program.health(),
                program.metrics(),
                program.faults().orElse(""),
                start(program),
                environment,
                List.of());
    }

    private static Service.Start start(ResponderProgram program) {
        if (program.jar().isPresent()) {
            return new Service.Start.Jar(program.folder(), program.jar().get(), RESPONDER_HEAP);
        }
        return program.python().isPresent()
                ? new Service.Start.Python(program)
                : new Service.Start.Command(program.folder(), program.command());
    }

    private Service aggregator(int replica, Selection selection, Map<String, String> disabled) {
        Repository repository = stack.repository();
        int port = moved(replica, StackPlan.AGGREGATOR_PORT);
        Map<String, String> environment = new TreeMap<>(clients);
        environment.put("SERVER_PORT", Integer.toString(port));
        environment.put("CHATTERBOX_TRANSPORTS", String.join(",", selection.names()));
        environment.put("CHATTERBOX_INSTANCE", Integer.toString(replica - 1));
        if (selection.traces() > 0) {
            environment.put("CHATTERBOX_TRACES", Double.toString(selection.traces()));
        }
        control.ifPresent(service -> environment.put("CHATTERBOX_CONTROL", Integer.toString(service.port())));
        repository.furtherRows().ifPresent(folder -> environment.put(Repository.ROWS, folder.toString()));
        return new Service(
                Repository.AGGREGATOR,
                replica,
                Map.of(ResponderProgram.HTTP, port),
                "/actuator/health",
                "/actuator/prometheus",
                "",
                new Service.Start.Jar(
                        repository.root().resolve(Repository.AGGREGATOR), "target/*-exec.jar", AGGREGATOR_HEAP),
                environment,
                disabled.entrySet().stream()
                        .map(entry -> "--chatterbox.disabled.%s=%s".formatted(entry.getKey(), entry.getValue()))
                        .toList());
    }

    private void addUpstream(String name, int port, Optional<Probe> probe, Row row) {
        upstreams.merge(name, new Upstream(name, port, probe, Set.of(row.name())), Upstream::with);
    }

    private Map<String, Integer> moved(Map<String, Integer> ports) {
        return moved(1, ports);
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
