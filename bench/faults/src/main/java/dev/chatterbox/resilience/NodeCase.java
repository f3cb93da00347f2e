package dev.chatterbox.resilience;

import dev.chatterbox.brokers.Leaders;
import dev.chatterbox.control.StackFaults;
import dev.chatterbox.resilience.load.CheckedLoad;
import dev.chatterbox.resilience.load.RequestRecorder;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * A case in which nodes of a variant's cluster are away for a while, under an open load of half of what the variant can
 * answer.
 *
 * @param way how the nodes are stopped
 * @param victims which nodes are stopped
 * @param phase how long the nodes are all there, away and back, each
 */
record NodeCase(String name, Way way, Victims victims, Duration phase) implements Scenario {

    enum Way {
        TERMINATED,
        KILLED,
        /** Others notice it only when a time limit of theirs is over, so the recovery is measured, and not judged. */
        FROZEN
    }

    enum Victims {
        /** The node that leads. */
        LEADING,
        /** A node that does not lead. */
        OTHER,
        /** One of each. */
        TWO
    }

    /** The time in which a variant shows what it can answer. */
    private static final int CAPACITY_SECONDS = 5;

    static List<NodeCase> all(Duration phase) {
        Stream<NodeCase> oneNode = Stream.of(Victims.LEADING, Victims.OTHER)
                .flatMap(victims -> Stream.of(Way.values())
                        .map(way -> new NodeCase(
                                "%s-node-%s".formatted(victims, way).toLowerCase(Locale.ROOT), way, victims, phase)));
        return Stream.concat(oneNode, Stream.of(new NodeCase("two-nodes-killed", Way.KILLED, Victims.TWO, phase)))
                .toList();
    }

    @Override
    public boolean appliesTo(Target.VariantTarget variant) {
        return variant.brokers().size() > 1;
    }

    @Override
    public double seconds() {
        return CAPACITY_SECONDS + (victims == Victims.TWO ? 4 : 3) * phase.toSeconds();
    }

    @Override
    public CaseResult measure(StackUnderTest stack, Target.VariantTarget variant)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        List<String> nodes = variant.brokers().stream().map(Member::name).toList();
        Leaders leaders = stack.testbed().leaders(variant.variant());
        List<String> stopped = victims(nodes, nodes.get(leaders.node() - 1));
        String last = stopped.get(stopped.size() - 1);
        List<Phase> phases = new ArrayList<>();
        double rate = capacity(stack, variant) / 2;
        // An answer belongs to the phase in which it comes.
        AtomicReference<RequestRecorder> current = new AtomicReference<>(new RequestRecorder());
        try (CheckedLoad load = new CheckedLoad(stack.port(), FaultCase.CALLS)) {
            load.rate(variant.name(), rate, current::get);
            phases.add(phase("before", current, () -> {}));
            phases.add(phase("away", current, () -> stopped.forEach(node -> stop(stack.faults(), node))));
            if (stopped.size() > 1) {
                phases.add(phase("one back", current, () -> bringBack(stack, stopped.get(0), current)));
            }
            phases.add(phase("back", current, () -> bringBack(stack, last, current)));
        }
        return CaseResult.since(
                start,
                variant.name(),
                name,
                Map.of(Phase.TABLE, phases.stream().map(Phase::figures).toList()),
                List.of("%s; %.0f requests/s; before: %s".formatted(String.join(", ", stopped), rate, leaders.text())),
                Criteria.missed(this, phases, stack.longestError()));
    }

    /** @param change begins the phase, and belongs to it */
    private Phase phase(String name, AtomicReference<RequestRecorder> current, Attempt change)
            throws IOException, InterruptedException {
        RequestRecorder recorder = new RequestRecorder();
        current.set(recorder);
        change.run();
        TimeUnit.MILLISECONDS.sleep(phase.toMillis());
        return Phase.of(name, recorder, recorder.recovery().orElse(null));
    }

    /** The requests per second that a variant answers if as many users as in the other cases request it. */
    private static double capacity(StackUnderTest stack, Target.VariantTarget variant) throws InterruptedException {
        RequestRecorder recorder;
        try (CheckedLoad load = new CheckedLoad(stack.port(), FaultCase.CALLS)) {
            recorder = load.users(variant.name(), FaultCase.USERS);
            TimeUnit.SECONDS.sleep(CAPACITY_SECONDS);
        }
        return Math.max(1, recorder.counts().right() / (double) CAPACITY_SECONDS);
    }

    private List<String> victims(List<String> nodes, String leader) {
        String other =
                nodes.stream().filter(node -> !node.equals(leader)).findFirst().orElseThrow();
        return switch (victims) {
            case LEADING -> List.of(leader);
            case OTHER -> List.of(other);
            case TWO -> List.of(leader, other);
        };
    }

    private void stop(StackFaults faults, String node) {
        switch (way) {
            case TERMINATED -> faults.running(node).stop(VariantFaults.GRACE);
            case KILLED -> faults.kill(node);
            case FROZEN -> faults.freeze(node);
        }
    }

    private void bringBack(StackUnderTest stack, String node, AtomicReference<RequestRecorder> current)
            throws IOException, InterruptedException {
        if (way == Way.FROZEN) {
            stack.faults().resume(node);
        } else {
            stack.startAgain(node, Objects.requireNonNull(current.get()));
        }
    }
}
