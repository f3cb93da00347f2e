package dev.chatterbox.resilience;

import dev.chatterbox.brokers.Leaders;
import dev.chatterbox.comparison.testbed.Target;
import dev.chatterbox.control.StackFaults;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.resilience.load.OpenLoad;
import dev.chatterbox.resilience.load.RequestRecorder;
import dev.chatterbox.resilience.load.VerifiedLoad;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Testbed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Stops nodes of clusters under an open load, and starts them again: one case after the other, on each row that has a
 * cluster. For one thread.
 */
public final class NodeCases {

    private static final int USERS = 16;
    private static final int CALLS = 10;

    /** How long a row shows what it can do, before it gets half of that. */
    private static final int CAPACITY_SECONDS = 10;

    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Testbed testbed;
    private final StackFaults faults;
    private final ResilienceRun.Plan plan;
    private final Steps steps;
    private final Target target;
    private final List<NodeCaseResult> measured = new ArrayList<>();

    /** @param target the testbed's */
    public NodeCases(Testbed testbed, Target target, StackFaults faults, ResilienceRun.Plan plan, Steps steps) {
        this.testbed = testbed;
        this.faults = faults;
        this.plan = plan;
        this.steps = steps;
        this.target = target;
    }

    private List<NodeCase> chosen() {
        return NodeCase.ALL.stream()
                .filter(one -> plan.cases().isEmpty() || plan.cases().contains(one.name()))
                .toList();
    }

    private List<Target.RowTarget> rows() {
        return target.rows().stream()
                .filter(row ->
                        plan.rows().contains(row.row().name()) && row.brokers().size() > 1)
                .toList();
    }

    /** The approximate duration. */
    public double seconds() {
        return rows().size() * chosen().size() * 3.2 * plan.phase().toSeconds();
    }

    /** The results so far. */
    List<NodeCaseResult> measured() {
        return List.copyOf(measured);
    }

    /**
     * Runs, and prints a line about each case when the case is done. If a case fails, the next one runs all the same.
     *
     * @throws InterruptedException the run was interrupted; the results so far are kept
     */
    public void run() throws InterruptedException {
        for (Target.RowTarget row : chosen().isEmpty() ? List.<Target.RowTarget>of() : rows()) {
            double rate = capacity(row) / 2;
            for (NodeCase one : chosen()) {
                steps.progress("… %s: %s".formatted(row.row().name(), one.name()));
                Optional<String> failure = Attempt.failure(() -> {
                    NodeCaseResult result = new UnderLoad(row, one).measure(rate);
                    measured.add(result);
                    steps.line(ResilienceTables.line(result));
                });
                if (failure.isPresent()) {
                    repair(row, one, rate, failure.get());
                }
            }
        }
    }

    private void repair(Target.RowTarget row, NodeCase one, double rate, String why) throws InterruptedException {
        NodeCaseResult result = new NodeCaseResult(
                row.row().name(), one.name(), one.what(), rate, List.of(), "", List.of(), List.of(why));
        measured.add(result);
        steps.line(ResilienceTables.line(result));
        Attempt.failure(faults::clear);
        Attempt.failure(() -> faults.heal(Steps.SILENT)).ifPresent(steps::line);
    }

    /** The requests a second that a row answers right if as many users as in the other cases do not wait. */
    private double capacity(Target.RowTarget row) throws InterruptedException {
        steps.progress("… %s: what it can".formatted(row.row().name()));
        RequestRecorder recorder = new RequestRecorder();
        try (VerifiedLoad load =
                new VerifiedLoad(target.aggregator().first().port(), row.row().name(), USERS, CALLS, 0, recorder)) {
            TimeUnit.SECONDS.sleep(CAPACITY_SECONDS);
        }
        return Math.max(1, recorder.counts().right() / (double) CAPACITY_SECONDS);
    }

    /** One case on one row. */
    private final class UnderLoad {

        private final Target.RowTarget row;
        private final NodeCase one;
        private final List<NodeCaseResult.Phase> phases = new ArrayList<>();
        private final List<String> missed = new ArrayList<>();

        UnderLoad(Target.RowTarget row, NodeCase one) {
            this.row = row;
            this.one = one;
        }

        NodeCaseResult measure(double rate) throws IOException, InterruptedException {
            List<String> nodes =
                    row.brokers().stream().map(Target.Process::name).toList();
            Leaders leaders = testbed.leaders(row.row(), nodes.get(0));
            List<String> victims = victims(nodes, nodes.get(leaders.node() - 1));
            try (OpenLoad load =
                    new OpenLoad(target.aggregator().first().port(), row.row().name(), CALLS, rate)) {
                RequestRecorder before = load.nextPhase();
                pause();
                RequestRecorder away = load.nextPhase();
                phases.add(NodeCaseResult.Phase.of("before", before));
                victims.forEach(this::stop);
                pause();
                RequestRecorder back = load.nextPhase();
                phases.add(NodeCaseResult.Phase.of("away", away));
                if (victims.size() > 1) {
                    bringBack(victims.get(0), back);
                    pause();
                    phases.add(NodeCaseResult.Phase.of("one back", back));
                    back = load.nextPhase();
                }
                bringBack(victims.get(victims.size() - 1), back);
                pause();
                phases.add(NodeCaseResult.Phase.of("back", back));
            }
            missed.addAll(Criteria.missed(one, phases, plan.deadline().toMillis() / 1000.0 + 1));
            return new NodeCaseResult(
                    row.row().name(), one.name(), one.what(), rate, victims, leaders.text(), phases, missed);
        }

        private List<String> victims(List<String> nodes, String leader) {
            String other = nodes.stream()
                    .filter(node -> !node.equals(leader))
                    .findFirst()
                    .orElseThrow();
            return switch (one.victims()) {
                case LEADER -> List.of(leader);
                case OTHER -> List.of(other);
                case TWO -> List.of(leader, other);
            };
        }

        private void pause() throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(plan.phase().toMillis());
        }

        private void stop(String node) {
            switch (one.way()) {
                case TERMINATED -> {
                    ChildProcess process =
                            faults.stack().process(faults.member(node)).orElseThrow();
                    process.stop(GRACE);
                }
                case KILLED -> faults.kill(node);
                case FROZEN -> faults.freeze(node);
            }
        }

        private void bringBack(String node, RequestRecorder recorder) throws IOException, InterruptedException {
            if (one.way() == NodeCase.Way.FROZEN) {
                faults.resume(node);
                return;
            }
            Member member = faults.member(node);
            RowFaults.startAgain(faults, member, recorder);
        }
    }
}
