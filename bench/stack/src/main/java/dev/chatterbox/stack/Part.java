package dev.chatterbox.stack;

import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.rows.Row;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The processes of a stack that are started while its other processes go on.
 *
 * @param whole whether there are no others
 * @param running the processes that go on, by the keys of their members
 * @param starting the keys of the members that are started
 */
record Part(StackPlan plan, boolean whole, Map<String, ChildProcess> running, Set<String> starting) {

    /** The whole stack. */
    static Part all(StackPlan plan) {
        Stream<String> keys = Stream.of(
                        plan.services().stream().map(service -> service(service.name())),
                        plan.brokers().stream().map(broker -> broker(broker.name())),
                        network(plan).stream())
                .flatMap(part -> part);
        return new Part(plan, true, Map.of(), keys.collect(Collectors.toUnmodifiableSet()));
    }

    static Part of(StackPlan plan, Stack stack, List<Member> members) {
        Set<String> starting =
                members.stream().map(member -> starter(plan, member)).collect(Collectors.toUnmodifiableSet());
        Map<String, ChildProcess> running = new TreeMap<>();
        for (Member member : stack.members()) {
            if (!starting.contains(starter(plan, member))) {
                stack.process(member).ifPresent(process -> running.put(member.key(), process));
            }
        }
        return new Part(plan, false, running, starting);
    }

    /** The member whose start starts it: of a process beside a broker, such as RabbitMQ's epmd, the broker. */
    private static String starter(StackPlan plan, Member member) {
        return plan.brokers().stream()
                .map(planned -> broker(planned.name()))
                .filter(key -> member.key().startsWith(key + "-"))
                .findFirst()
                .orElse(member.key());
    }

    boolean starts(Member.Kind kind, String name) {
        return starting.contains(Member.key(kind, name));
    }

    /** Whether calls of a row need a process that is started, and all else that they need runs and is not frozen. */
    boolean concerns(Row row) {
        List<String> needed = Stream.of(
                        Optional.of(service(plan.aggregator().name())),
                        row.responder().map(responder -> service(responder.name())),
                        row.broker().map(broker -> broker(broker.name())),
                        network(plan))
                .flatMap(Optional::stream)
                .toList();
        return needed.stream().anyMatch(starting::contains) && needed.stream().allMatch(this::isThere);
    }

    private boolean isThere(String key) {
        ChildProcess process = running.get(key);
        return starting.contains(key) || process != null && !process.isFrozen();
    }

    /**
     * Checks that responders will find their brokers: without it a responder is never well.
     *
     * @throws StackException a responder is to be started whose broker, or the network before it, does not run
     */
    void requireBrokers(Stack stack) {
        for (Row row : plan.rows()) {
            if (row.broker().isEmpty() || row.responder().isEmpty()) {
                continue;
            }
            String responder = row.responder().get().name();
            Stream.concat(Stream.of(broker(row.broker().get().name())), network(plan).stream())
                    .filter(key -> starts(Member.Kind.SERVICE, responder) && !isThere(key))
                    .findFirst()
                    .ifPresent(key -> {
                        String name = key.substring(key.indexOf(' ') + 1);
                        boolean frozen = running.containsKey(key);
                        throw new StackException("%s cannot be well without %s, which is %s. First: %s"
                                .formatted(
                                        responder,
                                        name,
                                        frozen ? "frozen" : "dead",
                                        stack.command((frozen ? "fault resume " : "fault restart ") + name)));
                    });
        }
    }

    /**
     * Stops what is started again and still runs, with the processes beside a broker: the broker starts them anew.
     *
     * @throws StackException somebody else has taken a port
     */
    void stop(Stack stack) {
        List<Member> stopped = stack.members().stream()
                .filter(member -> starting.contains(starter(plan, member)))
                .toList();
        Stack.stop(stopped.stream()
                .flatMap(member -> stack.process(member).stream())
                .toList());
        plan.requireFree(stack, stopped.stream().map(Member::name).toList()::contains);
    }

    private static Optional<String> network(StackPlan plan) {
        return plan.network().isPresent()
                ? Optional.of(Member.key(Member.Kind.NETWORK, Toxiproxy.NAME))
                : Optional.empty();
    }

    private static String service(String name) {
        return Member.key(Member.Kind.SERVICE, name);
    }

    private static String broker(String name) {
        return Member.key(Member.Kind.BROKER, name);
    }
}
