package dev.chatterbox.cli;

import dev.chatterbox.brokers.Broker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a stack consists of, with the ports moved by its offset: made from the transports that are here.
 *
 * @param aggregator one of the services
 * @param environment what the aggregator is told of responders that it reaches directly
 * @param transports their names, sorted
 */
record Plan(
        List<PlannedBroker> brokers,
        List<Service> services,
        Service aggregator,
        Map<String, String> environment,
        List<String> transports) {

    /** Two transports may share one. */
    record PlannedBroker(Broker broker, Map<String, Integer> ports) {

        String name() {
            return broker.name();
        }

        int clientPort() {
            return ports.values().iterator().next();
        }
    }

    /**
     * @param name the module, which is also the name of the process
     * @param heap in megabytes; the same for every responder, so that they compare
     */
    record Service(String name, int port, int heap, boolean needsBroker) {}

    static Plan of(Repository repository, Stack stack) {
        Map<Class<?>, PlannedBroker> brokers = new LinkedHashMap<>();
        List<Service> services = new ArrayList<>();
        Map<String, String> environment = new TreeMap<>();
        List<Transport> transports = repository.transports();
        for (Transport transport : transports) {
            int port = stack.port(transport.port());
            transport.broker().ifPresent(type -> brokers.computeIfAbsent(type, definition -> plan(definition, stack)));
            services.add(new Service(
                    transport.module(), port, 256, transport.broker().isPresent()));
            transport
                    .aggregatorEnvironment()
                    .forEach((key, value) -> environment.put(key, value.replace("${port}", Integer.toString(port))));
        }
        Service aggregator = new Service("aggregator-service", stack.port(8080), 512, !brokers.isEmpty());
        services.add(aggregator);
        return new Plan(
                List.copyOf(brokers.values()),
                services,
                aggregator,
                environment,
                transports.stream().map(Transport::name).toList());
    }

    private static PlannedBroker plan(Class<?> type, Stack stack) {
        try {
            Broker broker = (Broker) type.getConstructor().newInstance();
            Map<String, Integer> ports = new LinkedHashMap<>();
            broker.defaultPorts().forEach((role, port) -> ports.put(role, stack.port(port)));
            return new PlannedBroker(broker, ports);
        } catch (ReflectiveOperationException e) {
            throw new CliException("%s needs a public constructor without parameters.".formatted(type.getName()));
        }
    }

    /** Every port, with who will listen on it. */
    List<Map.Entry<Integer, String>> ports() {
        List<Map.Entry<Integer, String>> ports = new ArrayList<>();
        services.forEach(service -> ports.add(Map.entry(service.port(), service.name())));
        brokers.forEach(planned ->
                planned.ports().forEach((role, port) -> ports.add(Map.entry(port, planned.name() + " " + role))));
        return ports;
    }
}
