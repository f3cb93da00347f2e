package dev.chatterbox.stack;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.processes.Platform;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.PythonEnvironment;
import dev.chatterbox.rows.ResponderProgram;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.RowException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a stack consists of, with the ports moved by its offset: what its rows need and nothing else.
 *
 * @param rows by name
 * @param disabled rows that were asked for and cannot be had on this machine, with the reason in one line
 * @param control by which the live page rules the stack, if it has one
 * @param clients the environment variables by which clients find the brokers and responders
 * @param links the ports to which its processes connect for the calls
 * @param network between its processes and these ports
 */
public record StackPlan(
        Selection selection,
        List<Row> rows,
        Map<String, String> disabled,
        List<PlannedBroker> brokers,
        List<Service> responders,
        Service aggregator,
        Optional<Service> control,
        Map<String, String> clients,
        List<PlannedLink> links,
        NetworkPlan network) {

    static final int AGGREGATOR_PORT = 8080;
    private static final int AGGREGATOR_HEAP = 512;

    /** The same for every responder, so that they compare. */
    private static final int RESPONDER_HEAP = 256;

    /**
     * Rows may share one.
     *
     * @param told the ports that clients are told
     */
    public record PlannedBroker(Broker broker, Map<String, Integer> ports, Map<String, Integer> told) {

        public String name() {
            return broker.name();
        }

        int clientPort() {
            return ports.values().iterator().next();
        }

        /** Where it is not its own. */
        OptionalInt advertisedPort() {
            return told.equals(ports)
                    ? OptionalInt.empty()
                    : OptionalInt.of(told.values().iterator().next());
        }

        Map<String, String> environment() {
            return broker.environment(told);
        }
    }

    /**
     * A process of ours.
     *
     * @param ports by role
     * @param health the path, on the port {@link ResponderProgram#HTTP}, that answers 200 once it serves
     * @param metrics the path, on the same port, of its figures; empty where it has none
     * @param faults the path, on the same port, by which its faults are set, if it has one
     * @param environment what it is told
     * @param arguments of its command line
     */
    public record Service(
            String name,
            Map<String, Integer> ports,
            String health,
            String metrics,
            Optional<String> faults,
            Start start,
            Map<String, String> environment,
            List<String> arguments) {

        public int port() {
            return ports.getOrDefault(ResponderProgram.HTTP, 0);
        }
    }

    /** How a service is started. */
    sealed interface Start {

        /**
         * @param pattern of the runnable jar, below the folder of its module
         * @param heap in megabytes
         */
        record Jar(Path module, String pattern, int heap) implements Start {}

        /** @param program of a Python responder */
        record Python(ResponderProgram program) implements Start {

            PythonEnvironment environment() {
                return PythonEnvironment.of(program.folder());
            }
        }

        /** @param folder where the command runs */
        record Command(Path folder, List<String> words) implements Start {}
    }

    /**
     * The plan for rows, whether or not this machine can have them.
     *
     * @throws RowException a row, or the responder behind it, cannot be understood
     * @throws UsageException the stack's offset moves a port to where none is
     */
    public static StackPlan of(Repository repository, Stack stack, Selection selection) {
        return of(repository, stack, selection, Map.of(), NetworkPlan.NONE);
    }

    /**
     * Of a stack that was started: with the rows that could be had then, on the same ports.
     *
     * @throws UsageException this checkout lacks one of its rows
     * @throws RowException a row, or the responder behind it, cannot be understood any more
     */
    static StackPlan of(Repository repository, Stack stack) {
        StackState state = stack.state();
        if (state.network().port() == 0 && stack.network(List.of()).isPresent()) {
            throw new StackException(
                    "It was started by an earlier build, which did not keep where its network is: %s && %s"
                            .formatted(stack.command("down"), stack.command("up")));
        }
        Selection selection = Selection.of(
                repository.rows(),
                Stream.concat(state.rows().stream(), state.disabled().keySet().stream())
                        .toList());
        StackPlan direct = of(repository, stack, selection, state.disabled(), NetworkPlan.NONE);
        return state.network().port() == 0
                ? direct
                : of(repository, stack, selection, state.disabled(), NetworkPlan.of(direct.links, state.network()));
    }

    /** The same with a network on free ports, which puts so many milliseconds into each round trip. */
    StackPlan over(Repository repository, Stack stack, int distanceMillis) {
        return of(repository, stack, selection, disabled, NetworkPlan.of(links, distanceMillis));
    }

    private static StackPlan of(
            Repository repository,
            Stack stack,
            Selection selection,
            Map<String, String> disabled,
            NetworkPlan network) {
        List<Row> rows = selection.rows().stream()
                .filter(row -> !disabled.containsKey(row.name()))
                .toList();
        Map<Row.Broker, PlannedBroker> brokers = new LinkedHashMap<>();
        Map<String, Service> responders = new LinkedHashMap<>();
        Map<String, String> environment = new TreeMap<>();
        Map<String, PlannedLink> links = new TreeMap<>();
        for (Row row : rows) {
            row.broker().ifPresent(broker -> {
                PlannedBroker planned = brokers.computeIfAbsent(broker, key -> broker(key, row, stack, network));
                environment.putAll(planned.environment());
                add(links, link(planned, row));
            });
            row.responder().ifPresent(responder -> {
                ResponderProgram program = repository.program(responder);
                Map<String, Integer> ports = moved(program.ports(responder), stack);
                responders.computeIfAbsent(
                        responder.name(), name -> responder(row, responder, program, ports, brokers));
                environment.putAll(ResponderProgram.aggregatorEnvironment(row, network.before(ports)));
                ResponderProgram.aggregatorRoles(row)
                        .forEach(role -> add(links, link(responder, role, program, ports, row)));
            });
        }
        return new StackPlan(
                selection,
                rows,
                disabled,
                List.copyOf(brokers.values()),
                List.copyOf(responders.values()),
                aggregator(repository, stack, selection, disabled, environment),
                Optional.empty(),
                Map.copyOf(environment),
                List.copyOf(links.values()),
                network);
    }

    /** The same with a service by which the live page rules the stack. */
    StackPlan with(Service service) {
        Map<String, String> told = new TreeMap<>(aggregator.environment());
        told.put("CHATTERBOX_CONTROL", Integer.toString(service.port()));
        Service open = new Service(
                aggregator.name(),
                aggregator.ports(),
                aggregator.health(),
                aggregator.metrics(),
                aggregator.faults(),
                aggregator.start(),
                told,
                aggregator.arguments());
        return new StackPlan(
                selection, rows, disabled, brokers, responders, open, Optional.of(service), clients, links, network);
    }

    private static void add(Map<String, PlannedLink> links, PlannedLink link) {
        links.merge(link.name(), link, PlannedLink::with);
    }

    private static PlannedLink link(PlannedBroker planned, Row row) {
        return new PlannedLink(
                planned.name(),
                planned.clientPort(),
                Optional.of(planned.broker().probe()),
                Set.of(row.name()));
    }

    private static PlannedLink link(
            Row.Responder responder, String role, ResponderProgram program, Map<String, Integer> ports, Row row) {
        return new PlannedLink(
                role.equals(ResponderProgram.HTTP) ? responder.name() : responder.name() + "-" + role,
                Objects.requireNonNull(ports.get(role)),
                Optional.ofNullable(program.probes().get(role)).map(probe -> new Probe(probe.request(), probe.reply())),
                Set.of(row.name()));
    }

    private static PlannedBroker broker(Row.Broker named, Row row, Stack stack, NetworkPlan network) {
        try {
            Broker broker = (Broker) Class.forName(named.type())
                    .asSubclass(Broker.class)
                    .getConstructor()
                    .newInstance();
            if (!broker.name().equals(named.name())) {
                throw new RowException("rows/%s.properties: broker is '%s', but %s calls itself '%s'."
                        .formatted(row.name(), named.name(), named.type(), broker.name()));
            }
            Map<String, Integer> ports = moved(broker.defaultPorts(), stack);
            return new PlannedBroker(broker, ports, network.before(ports));
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new RowException(
                    "rows/%s.properties: broker.class %s is not a class with a public constructor without parameters that implements %s."
                            .formatted(row.name(), named.type(), Broker.class.getName()));
        }
    }

    private static Service responder(
            Row row,
            Row.Responder responder,
            ResponderProgram program,
            Map<String, Integer> ports,
            Map<Row.Broker, PlannedBroker> brokers) {
        Map<String, String> environment = new TreeMap<>();
        row.broker().map(brokers::get).ifPresent(broker -> environment.putAll(broker.environment()));
        environment.putAll(program.environment(row, ports));
        return new Service(
                responder.name(),
                ports,
                program.health(),
                program.metrics(),
                program.faults(),
                start(program),
                environment,
                List.of());
    }

    private static Start start(ResponderProgram program) {
        if (program.jar().isPresent()) {
            return new Start.Jar(program.folder(), program.jar().get(), RESPONDER_HEAP);
        }
        return program.python().isPresent()
                ? new Start.Python(program)
                : new Start.Command(program.folder(), program.command());
    }

    private static Service aggregator(
            Repository repository,
            Stack stack,
            Selection selection,
            Map<String, String> disabled,
            Map<String, String> clients) {
        Map<String, Integer> ports = moved(Map.of(ResponderProgram.HTTP, AGGREGATOR_PORT), stack);
        Map<String, String> environment = new TreeMap<>(clients);
        environment.put("SERVER_PORT", Integer.toString(stack.port(AGGREGATOR_PORT)));
        environment.put("CHATTERBOX_TRANSPORTS", String.join(",", selection.names()));
        environment.put("CHATTERBOX_INSTANCE", "0");
        repository.furtherRows().ifPresent(folder -> environment.put(Repository.ROWS, folder.toString()));
        return new Service(
                Repository.AGGREGATOR,
                ports,
                "/actuator/health",
                "/actuator/prometheus",
                Optional.empty(),
                new Start.Jar(repository.root().resolve(Repository.AGGREGATOR), "target/*-exec.jar", AGGREGATOR_HEAP),
                environment,
                disabled.entrySet().stream()
                        .map(entry -> "--chatterbox.disabled.%s=%s".formatted(entry.getKey(), entry.getValue()))
                        .toList());
    }

    private static Map<String, Integer> moved(Map<String, Integer> ports, Stack stack) {
        Map<String, Integer> moved = new LinkedHashMap<>();
        ports.forEach((role, port) -> moved.put(role, stack.port(port)));
        return moved;
    }

    /** The responders, the control service and, last, the aggregator. */
    List<Service> services() {
        return Stream.of(responders.stream(), control.stream(), Stream.of(aggregator))
                .flatMap(service -> service)
                .toList();
    }

    /** Every port, with who will listen on it. */
    public List<Map.Entry<Integer, String>> ports() {
        return ports(name -> true);
    }

    private List<Map.Entry<Integer, String>> ports(Predicate<String> process) {
        List<Map.Entry<Integer, String>> ports = new ArrayList<>();
        services().stream()
                .filter(service -> process.test(service.name()))
                .forEach(service -> service.ports()
                        .forEach((role, port) -> ports.add(Map.entry(
                                port,
                                role.equals(ResponderProgram.HTTP) ? service.name() : service.name() + " " + role))));
        brokers.stream()
                .filter(planned -> process.test(planned.name()))
                .forEach(planned -> planned.ports()
                        .forEach((role, port) -> ports.add(Map.entry(port, planned.name() + " " + role))));
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

    /** @throws StackException a port is taken, or two processes would listen on it */
    void requireFree(Stack stack) {
        requireFree(stack, name -> true);
    }

    /** @param process whose ports are meant */
    void requireFree(Stack stack, Predicate<String> process) {
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
     * @param told of each broker, where its program comes from
     * @return the plan without the rows that were asked for only as part of all and cannot be had here
     * @throws ProcessException a row that was asked for by its name, or by default, cannot be had
     */
    StackPlan obtain(Repository repository, Stack stack, Consumer<String> told) {
        Map<String, String> missing = new TreeMap<>();
        for (PlannedBroker planned : brokers) {
            try {
                told.accept(
                        "  %s: %s".formatted(planned.name(), planned.broker().origin()));
                planned.broker().obtain(line -> told.accept("  %s: %s".formatted(planned.name(), line)));
            } catch (ProcessException e) {
                requireOptional(row -> uses(row, planned), e).forEach(row -> missing.put(row, firstLine(e)));
                told.accept("  %s: %s"
                        .formatted(
                                planned.name(),
                                String.valueOf(e.getMessage()).lines().collect(Collectors.joining("\n    "))));
            }
        }
        for (Service service : responders) {
            try {
                obtain(service, told);
            } catch (ProcessException e) {
                requireOptional(row -> uses(row, service), e).forEach(row -> missing.put(row, firstLine(e)));
            }
        }
        missing.forEach((row, reason) -> told.accept("  %s: disabled. %s".formatted(row, reason)));
        return missing.isEmpty() ? this : of(repository, stack, selection, missing, NetworkPlan.NONE);
    }

    /** @throws ProcessException this machine cannot run it */
    private static void obtain(Service service, Consumer<String> told) {
        if (service.start() instanceof Start.Python python) {
            python.environment().whyUnavailable().ifPresent(reason -> {
                throw new ProcessException("%s: %s".formatted(service.name(), reason));
            });
            told.accept(
                    "  %s: %s".formatted(service.name(), python.environment().origin()));
            python.environment().obtain();
        } else if (service.start() instanceof Start.Command command && !isThere(command)) {
            throw new ProcessException("%s is started by %s, which is not on this machine."
                    .formatted(service.name(), command.words().get(0)));
        }
    }

    /** The virtual environments that responders need, by the folders of their programs. */
    public Map<Path, PythonEnvironment> pythons() {
        return pythons(service -> true);
    }

    /** Those of them that a row needs which must start. */
    public Set<Path> requiredPythons() {
        return pythons(service -> rows.stream().anyMatch(row -> selection.requires(row) && uses(row, service)))
                .keySet();
    }

    private Map<Path, PythonEnvironment> pythons(Predicate<Service> which) {
        Map<Path, PythonEnvironment> pythons = new TreeMap<>();
        responders.stream().filter(which).forEach(service -> {
            if (service.start() instanceof Start.Python python) {
                pythons.put(python.program().folder(), python.environment());
            }
        });
        return pythons;
    }

    /** Whether a row that must start needs the broker. */
    public boolean requires(PlannedBroker planned) {
        return rows.stream().anyMatch(row -> selection.requires(row) && uses(row, planned));
    }

    private static boolean uses(Row row, PlannedBroker planned) {
        return row.broker()
                .filter(broker -> broker.name().equals(planned.name()))
                .isPresent();
    }

    private static boolean uses(Row row, Service service) {
        return row.responder()
                .filter(responder -> responder.name().equals(service.name()))
                .isPresent();
    }

    private List<String> requireOptional(Predicate<Row> which, ProcessException e) {
        List<Row> concerned = rows.stream().filter(which).toList();
        if (concerned.stream().anyMatch(selection::requires)) {
            throw e;
        }
        return concerned.stream().map(Row::name).toList();
    }

    private static boolean isThere(Start.Command command) {
        String program = command.words().get(0);
        return program.contains("/")
                ? command.folder().resolve(program).toFile().canExecute()
                : Platform.current().onPath(program).isPresent();
    }

    private static String firstLine(ProcessException e) {
        return Optional.ofNullable(e.getMessage())
                .flatMap(message -> message.lines().findFirst())
                .orElse("unknown");
    }
}
