package dev.chatterbox.cli.stack;

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

    /** Whether all that its calls need runs, and is not frozen, or is started. */
    boolean hasParts(StackPlan plan, Row row) {
        return Stream.of(
                        Optional.of(service(plan.aggregator().name())),
                        row.responder().map(responder -> service(responder.name())),
                        row.broker().map(broker -> broker(broker.name())),
                        plan.network().isThere()
                                ? Optional.of(Member.key(Member.Kind.NETWORK, Toxiproxy.NAME))
                                : Optional.<String>empty())
                .flatMap(Optional::stream)
                .allMatch(this::isThere);
    }

    private boolean isThere(String key) {
        ChildProcess process = running.get(key);
        return starting.contains(key) || process != null && !process.isFrozen();
    }

    /**
     * A responder is not well without its broker, so its start would be waited for in vain.
     *
     * @throws StackException what is to be started has no broker
     */
    void requireBrokers(StackPlan plan, Stack stack) {
        for (Row row : plan.rows()) {
            row.responder()
                    .filter(responder -> starting.contains(service(responder.name())))
                    .ifPresent(responder -> row.broker()
                            .filter(broker -> !isThere(broker(broker.name())))
                            .ifPresent(broker -> {
                                throw new StackException("%s cannot be well without %s, which is %s. First: %s"
                                        .formatted(
                                                responder.name(),
                                                broker.name(),
                                                running.containsKey(broker(broker.name())) ? "frozen" : "dead",
                                                running.containsKey(broker(broker.name()))
                                                        ? stack.command("fault resume " + broker.name())
                                                        : stack.command("fault restart " + broker.name())));
                            }));
        }
    }

    /**
     * Stops what a broker left beside it, such as RabbitMQ's epmd, for the broker starts it anew.
     *
     * @throws StackException such a one is to be started, while its broker runs
     */
    void stopCompanions(StackPlan plan, Stack stack) {
        for (StackPlan.PlannedBroker planned : plan.brokers()) {
            String beside = broker(planned.name() + "-");
            if (running.containsKey(broker(planned.name()))) {
                starting.stream()
                        .filter(key -> key.startsWith(beside))
                        .findFirst()
                        .ifPresent(key -> {
                            throw new StackException("A part of %s is dead, which starts with it only: %s"
                                    .formatted(planned.name(), stack.command("fault restart " + planned.name())));
                        });
            } else {
                List<String> left = running.keySet().stream()
                        .filter(key -> key.startsWith(beside))
                        .toList();
                Stack.stop(left.stream().map(running::get).toList());
                running.keySet().removeAll(left);
            }
        }
    }

    private static String service(String name) {
        return Member.key(Member.Kind.SERVICE, name);
    }

    private static String broker(String name) {
        return Member.key(Member.Kind.BROKER, name);
    }
}
