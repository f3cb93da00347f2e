package dev.chatterbox.resilience;

import dev.chatterbox.brokers.Leaders;
import dev.chatterbox.control.StackFaults;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.resilience.load.OpenLoad;
import dev.chatterbox.resilience.load.RequestRecorder;
import dev.chatterbox.resilience.load.VerifiedLoad;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A case in which nodes of a row's cluster are away for a while, under an open load of half of what the row can answer.
 *
 * @param way how the nodes are stopped
 * @param victims which nodes are stopped
 */
record NodeCase(String name, Way way, Victims victims) implements Scenario {

    enum Way {
        TERMINATED("SIGTERM"),
        KILLED("SIGKILL"),
        /** Others notice it only when a time limit of theirs is over, so the recovery is measured, and not judged. */
        FROZEN("SIGSTOP");

        final String signal;

        Way(String signal) {
            this.signal = signal;
        }
    }

    enum Victims {
        LEADER("the node that leads"),
        OTHER("a node that does not lead"),
        TWO("the node that leads and another one");

        final String text;

        Victims(String text) {
            this.text = text;
        }
    }

    static final List<NodeCase> ALL = Stream.concat(
                    Stream.of(Victims.LEADER, Victims.OTHER)
                            .flatMap(victims ->
                                    Stream.of(Way.values()).map(way -> new NodeCase(name(victims, way), way, victims))),
                    Stream.of(new NodeCase("two-nodes-killed", Way.KILLED, Victims.TWO)))
            .toList();

    /** The time in which a row shows what it can answer. */
    private static final int CAPACITY_SECONDS = 5;

    private static final Duration GRACE = Duration.ofSeconds(10);

    private static String name(Victims victims, Way way) {
        return "%s-node-%s"
                .formatted(
                        victims == Victims.LEADER ? "leading" : "other",
                        way.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public String what() {
        return "%s: %s".formatted(victims.text, way.signal);
    }

    @Override
    public boolean appliesTo(Target.RowTarget row) {
        return row.brokers().size() > 1;
    }

    @Override
    public double seconds(ResiliencePlan plan) {
        return CAPACITY_SECONDS
                + (victims == Victims.TWO ? 4 : 3) * plan.phase().toSeconds();
    }

    @Override
    public CaseResult measure(StackUnderTest stack, Target.RowTarget row) throws IOException, InterruptedException {
        long start = System.nanoTime();
        List<String> nodes = row.brokers().stream().map(Member::name).toList();
        Leaders leaders = stack.testbed().leaders(row.row(), nodes.get(0));
        List<String> stopped = victims(nodes, nodes.get(leaders.node() - 1));
        List<CaseResult.Phase> phases = new ArrayList<>();
        double rate = capacity(stack, row) / 2;
        try (OpenLoad load = new OpenLoad(stack.port(), row.row().name(), FaultCase.CALLS, rate)) {
            RequestRecorder before = load.nextPhase();
            pause(stack);
            RequestRecorder away = load.nextPhase();
            phases.add(CaseResult.Phase.of("before", before));
            stopped.forEach(node -> stop(stack.faults(), node));
            pause(stack);
            RequestRecorder back = load.nextPhase();
            phases.add(CaseResult.Phase.of("away", away));
            if (stopped.size() > 1) {
                bringBack(stack.faults(), stopped.get(0), back);
                pause(stack);
                phases.add(CaseResult.Phase.of("one back", back));
                back = load.nextPhase();
            }
            bringBack(stack.faults(), stopped.get(stopped.size() - 1), back);
            pause(stack);
            phases.add(CaseResult.Phase.of("back", back));
        }
        return new CaseResult(
                row.row().name(),
                name,
                (System.nanoTime() - start) / 1e9,
                phases,
                null,
                null,
                List.of("%s; %.0f requests/s; before: %s".formatted(String.join(", ", stopped), rate, leaders.text())),
                Criteria.missed(this, phases, stack.plan().longestError()));
    }

    /** The requests a second that a row answers if as many users as in the other cases request it. */
    private static double capacity(StackUnderTest stack, Target.RowTarget row) throws InterruptedException {
        RequestRecorder recorder = new RequestRecorder();
        try (VerifiedLoad load =
                new VerifiedLoad(stack.port(), row.row().name(), FaultCase.USERS, FaultCase.CALLS, 0, recorder)) {
            TimeUnit.SECONDS.sleep(CAPACITY_SECONDS);
        }
        return Math.max(1, recorder.counts().right() / (double) CAPACITY_SECONDS);
    }

    private List<String> victims(List<String> nodes, String leader) {
        String other =
                nodes.stream().filter(node -> !node.equals(leader)).findFirst().orElseThrow();
        return switch (victims) {
            case LEADER -> List.of(leader);
            case OTHER -> List.of(other);
            case TWO -> List.of(leader, other);
        };
    }

    private static void pause(StackUnderTest stack) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(stack.plan().phase().toMillis());
    }

    private void stop(StackFaults faults, String node) {
        switch (way) {
            case TERMINATED -> {
                ChildProcess process =
                        faults.stack().process(faults.member(node)).orElseThrow();
                process.stop(GRACE);
            }
            case KILLED -> faults.kill(node);
            case FROZEN -> faults.freeze(node);
        }
    }

    private void bringBack(StackFaults faults, String node, RequestRecorder recorder)
            throws IOException, InterruptedException {
        if (way == Way.FROZEN) {
            faults.resume(node);
        } else {
            RowFaults.startAgain(faults, faults.member(node), recorder);
        }
    }
}
