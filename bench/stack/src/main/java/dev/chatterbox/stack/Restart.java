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
 * The start of some processes of a stack whose other processes go on.
 *
 * @param state what the stack was started as
 * @param running the processes that go on, by the keys of their members
 * @param starting the keys of the members that are started again
 */
record Restart(StackState state, Map<String, ChildProcess> running, Set<String> starting) {

    static Restart of(StackPlan plan, Stack stack, List<Member> members) {
        Set<String> starting = members.stream()
                .map(member -> broker(plan, member).orElse(member.key()))
                .collect(Collectors.toUnmodifiableSet());
        Map<String, ChildProcess> running = new TreeMap<>();
        for (Member member : stack.members()) {
            if (!starting.contains(member.key())) {
                stack.process(member).ifPresent(process -> running.put(member.key(), process));
            }
        }
        return new Restart(stack.state(), running, starting);
    }

    /** The broker of a process beside it, such as RabbitMQ's epmd: the broker alone can start that. */
    private static Optional<String> broker(StackPlan plan, Member member) {
        return plan.brokers().stream()
                .filter(planned -> member.key().startsWith(broker(planned.name() + "-")))
                .map(planned -> broker(planned.name()))
                .findFirst();
    }

    /** Whether the calls of a row need a process that is started again, and all else that they need runs and is not frozen. */
    boolean concerns(StackPlan plan, Row row) {
        List<String> parts = Stream.of(
                        Optional.of(service(plan.aggregator().name())),
                        row.responder().map(responder -> service(responder.name())),
                        row.broker().map(broker -> broker(broker.name())),
                        network(plan))
                .flatMap(Optional::stream)
                .toList();
        return parts.stream().anyMatch(starting::contains) && parts.stream().allMatch(this::isThere);
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
    void requireBrokers(StackPlan plan, Stack stack) {
        for (Row row : plan.rows()) {
            if (row.broker().isPresent()
                    && row.responder()
                            .filter(responder -> starting.contains(service(responder.name())))
                            .isPresent()) {
                Stream.concat(Stream.of(broker(row.broker().get().name())), network(plan).stream())
                        .filter(key -> !isThere(key))
                        .findFirst()
                        .ifPresent(key -> {
                            String name = key.substring(key.indexOf(' ') + 1);
                            boolean frozen = running.containsKey(key);
                            throw new StackException("%s cannot be well without %s, which is %s. First: %s"
                                    .formatted(
                                            row.responder().get().name(),
                                            name,
                                            frozen ? "frozen" : "dead",
                                            stack.command((frozen ? "fault resume " : "fault restart ") + name)));
                        });
            }
        }
    }

    /**
     * Stops what is started again and still runs, with the processes beside a broker: the broker starts them anew.
     *
     * @throws StackException somebody else has taken a port
     */
    void stop(StackPlan plan, Stack stack) {
        List<Member> stopped = stack.members().stream()
                .filter(member -> starting.contains(member.key())
                        || broker(plan, member).filter(starting::contains).isPresent())
                .toList();
        stopped.forEach(member -> running.remove(member.key()));
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
