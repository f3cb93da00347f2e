package dev.chatterbox.stack;

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
 * What is there of a stack when a part of it is started again.
 *
 * @param state what it was started as
 * @param running those that are left alone, by their key
 * @param starting the keys of those that are started again
 */
record Rest(StackState state, Map<String, ChildProcess> running, Set<String> starting) {

    static Rest of(Stack stack, List<Member> members) {
        Set<String> starting = members.stream().map(Member::key).collect(Collectors.toUnmodifiableSet());
        Map<String, ChildProcess> running = new TreeMap<>();
        for (Member member : stack.members()) {
            if (!starting.contains(member.key())) {
                stack.process(member).ifPresent(process -> running.put(member.key(), process));
            }
        }
        return new Rest(stack.state(), running, starting);
    }

    /** Whether its calls need something that is started, and all else that they need runs and is not frozen. */
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
     * A responder is not well without its broker, so its start would be waited for in vain.
     *
     * @throws StackException what is to be started has no broker, or no network to it
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

    /** Stops what a broker that is started again left beside it, such as RabbitMQ's epmd: the broker starts it anew. */
    void stopCompanions(StackPlan plan) {
        for (StackPlan.PlannedBroker planned : plan.brokers()) {
            if (starting.contains(broker(planned.name()))) {
                List<String> left = running.keySet().stream()
                        .filter(key -> key.startsWith(broker(planned.name() + "-")))
                        .toList();
                Stack.stop(left.stream().map(running::get).toList());
                running.keySet().removeAll(left);
            }
        }
    }

    private static Optional<String> network(StackPlan plan) {
        return plan.network().isThere()
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
