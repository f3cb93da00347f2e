package dev.chatterbox.resilience;

import dev.chatterbox.comparison.QueueWorkers;
import dev.chatterbox.comparison.QueueWorkers.Progress;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.stack.Target;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.variants.Outlives;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * A case in which the consumers of a variant's queue are held while messages are published at a rate, and the broker is
 * watched until all are consumed.
 *
 * @param variant the name of the variant
 * @param rate messages a second
 */
public record BacklogCase(Plan plan, String variant, int rate) implements Scenario {

    /** Messages are published for so many times as long as the consumers are held: a backlog takes as long to go. */
    private static final double LENGTH = 2.5;

    /** The approximate duration of the runs that show what a variant can. */
    private static final int CAPACITY_SECONDS = 15;

    private static final int LOOK_MILLIS = 100;

    /** A rate is one of requests of so many messages. */
    private static final int CALLS = 100;

    /** So many seconds longer than the consumers are held nothing may happen. */
    private static final int PATIENCE_SECONDS = 30;

    /** Messages that were published and not yet consumed, below which a backlog counts as drained; or half a second's. */
    private static final int FEW = 1_000;

    /**
     * What is to be done.
     *
     * @param seconds for which the consumers are held
     * @param payload bytes of a message
     * @param bytes the most that all payloads of a run may have
     */
    public record Plan(int seconds, int payload, long bytes) {

        /** The approximate duration, with two rates of each variant. */
        public double seconds(int variants) {
            return variants * (CAPACITY_SECONDS + 2 * new BacklogCase(this, "", 0).seconds());
        }

        private int bounded(double messages) {
            long most = Math.min(MessageRun.MOST, bytes / Math.max(1, payload));
            return (int) Math.max(1, Math.min(most, messages) / CALLS) * CALLS;
        }

        /** @throws UsageException the disk of a folder has less than twice as much room as payloads of these bytes take */
        public static void requireDisk(Path folder, long payloads) throws IOException {
            long free = Files.getFileStore(folder).getUsableSpace();
            if (free < 2 * payloads) {
                throw new UsageException(
                        "%,d MB of messages need twice as much free disk, and %,d MB are free. Choose fewer, such as --bytes %dm"
                                .formatted(payloads >> 20, free >> 20, Math.max(1, free >> 22)));
            }
        }
    }

    /** Finds what each variant can, and gives the cases at half of that and at half of what the slowest variant can. */
    public static List<Scenario> of(StackUnderTest stack, Plan plan) throws InterruptedException {
        Map<String, Integer> rates = new LinkedHashMap<>();
        for (Target.VariantTarget variant :
                stack.variants(variant -> variant.queue().isPresent())) {
            String name = variant.variant().name();
            stack.steps().progress("… %s: what its queue can".formatted(name));
            stack.failure(() -> {
                        double perSecond = MessageRun.capacity(
                                stack, variant, "payload=" + plan.payload, plan.bounded(MessageRun.MOST));
                        rates.put(name, (int) Math.max(1, perSecond / 2));
                    })
                    .ifPresent(why -> stack.steps().line("%s: %s".formatted(name, why)));
        }
        int common = rates.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        List<Scenario> cases = new ArrayList<>();
        rates.forEach((name, own) -> new TreeSet<>(List.of(own, common))
                .descendingSet()
                .forEach(rate -> cases.add(new BacklogCase(plan, name, rate))));
        return cases;
    }

    @Override
    public String name() {
        return "backlog, %,d/s".formatted(rate);
    }

    @Override
    public boolean appliesTo(Target.VariantTarget target) {
        return target.variant().name().equals(variant);
    }

    @Override
    public double seconds() {
        return (LENGTH + 0.5) * plan.seconds;
    }

    @Override
    public CaseResult measure(StackUnderTest stack, Target.VariantTarget target)
            throws IOException, InterruptedException {
        int messages = plan.bounded(rate * LENGTH * plan.seconds);
        Path folder = stack.testbed().stack().directory();
        Plan.requireDisk(folder, (long) messages * plan.payload);
        Workload workload = Workload.parse("queue calls=%d users=1 payload=%d".formatted(CALLS, plan.payload))
                .under(new Load.Rate((double) rate / CALLS));
        Slice slice = new Slice("backlog", variant, workload, messages / CALLS, 0);
        BrokerWatch broker = new BrokerWatch(target.brokers(), folder);
        // What nobody acknowledges must not wait for consumers that are held.
        try (QueueWorkers programs =
                MessageRun.programs(stack, target, "--window=0", "--patience=" + (plan.seconds + PATIENCE_SECONDS))) {
            programs.prepare(slice);
            programs.hold();
            long start = System.nanoTime();
            try (MessageRun run = MessageRun.begin(programs, slice)) {
                BacklogPhases phases = new BacklogPhases(programs.produced());
                while (!run.isOver()) {
                    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                    double seconds = (System.nanoTime() - start) / 1e9;
                    Progress now = programs.progress();
                    if (phases.number() == 0 && seconds >= plan.seconds) {
                        phases.end(now);
                        programs.resume();
                    } else if (phases.number() == 1 && now.published() - now.consumed() <= Math.max(FEW, rate / 2)) {
                        phases.end(now);
                    }
                    broker.look(seconds, now);
                }
                phases.end(programs.progress());
                QueueFigures counts = run.counts();
                Map<String, List<Figures>> tables = new LinkedHashMap<>();
                tables.put("Backlogs", phases.ended());
                tables.put(MessageRun.TABLE, List.of(MessageRun.figures(messages, false, counts)));
                tables.put("Brokers", List.of(broker.figures(plan.seconds)));
                return new CaseResult(
                        variant, name(), (System.nanoTime() - start) / 1e9, tables, List.of(), missed(target, counts));
            }
        }
    }

    private static List<String> missed(Target.VariantTarget target, QueueFigures counts) {
        if (target.variant().outlives() == Outlives.NOTHING) {
            return List.of();
        }
        List<String> missed = new ArrayList<>();
        if (!counts.end().equals(QueueFigures.COMPLETE)) {
            missed.add("it ended as " + counts.end());
        }
        missed.addAll(Criteria.missed(counts, false));
        return missed;
    }
}
