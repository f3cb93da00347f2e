package dev.chatterbox.resilience;

import dev.chatterbox.comparison.QueueWorkers;
import dev.chatterbox.comparison.QueueWorkers.Progress;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import dev.chatterbox.variants.Outlives;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A case in which the consumers of a variant's queue are held while messages are published at a rate, and the broker is
 * watched until all are consumed.
 *
 * @param atEqualRates whether each variant has half of what the slowest variant can, or else half of what it can itself
 * @param held how long the consumers are held
 * @param capacities messages per second that a variant can publish and consume, for both cases
 */
record BacklogCase(boolean atEqualRates, Duration held, Map<String, Double> capacities) implements Scenario {

    static final String NAME = "backlog";

    /** Messages are published for so many times as long as the consumers are held: a backlog takes as long to go. */
    private static final double LENGTH = 2.5;

    /** The approximate duration of the runs that show what a variant can. */
    private static final int CAPACITY_SECONDS = 15;

    private static final int LOOK_MILLIS = 100;

    /** A rate is one of requests of so many messages. */
    private static final int CALLS = 100;

    private static final int PAYLOAD = 1024;

    /** So many seconds longer than the consumers are held nothing may happen. */
    private static final int PATIENCE_SECONDS = 30;

    /**
     * Messages that were published and not yet consumed, below which a backlog counts as drained; or half a second's.
     */
    private static final int FEW = 1_000;

    static List<BacklogCase> all(Duration held) {
        Map<String, Double> capacities = new HashMap<>();
        return List.of(new BacklogCase(false, held, capacities), new BacklogCase(true, held, capacities));
    }

    @Override
    public String name() {
        return NAME;
    }

    /** For the slowest variant both rates are the same. */
    @Override
    public boolean appliesTo(Target.VariantTarget variant) {
        return variant.queue().isPresent()
                && (!atEqualRates || capacities.isEmpty() || capacities.getOrDefault(variant.name(), 0.0) > least());
    }

    private double least() {
        return capacities.values().stream().min(Double::compare).orElse(0.0);
    }

    @Override
    public boolean needsNetwork() {
        return false;
    }

    @Override
    public double seconds() {
        return (LENGTH + 0.5) * held.toSeconds() + (atEqualRates ? 0 : CAPACITY_SECONDS);
    }

    @Override
    public CaseResult measure(StackUnderTest stack, Target.VariantTarget target)
            throws IOException, InterruptedException {
        String variant = target.name();
        double own =
                capacities.computeIfAbsent(variant, name -> MessageRun.capacity(stack, target, "payload=" + PAYLOAD));
        // The producer must not end while the consumers are held.
        double most = MessageRun.MOST / (LENGTH * Math.max(1, held.toSeconds()));
        int rate = (int) Math.max(1, Math.min(most, (atEqualRates ? least() : own) / 2));
        int messages = (int) Math.max(1, Math.min(MessageRun.MOST, rate * LENGTH * held.toSeconds()) / CALLS) * CALLS;
        Path folder = stack.testbed().stack().directory();
        requireDisk(folder, (long) messages * PAYLOAD);
        Workload workload = Workload.parse("queue calls=%d users=1 payload=%d".formatted(CALLS, PAYLOAD))
                .under(new Load.Rate((double) rate / CALLS));
        Slice slice = new Slice(NAME, variant, workload, messages / CALLS, 0);
        // An earlier case may have restarted them.
        List<Member> brokers = target.brokers().stream()
                .map(node -> stack.faults().member(node.name()))
                .toList();
        BrokerWatch broker = new BrokerWatch(brokers, folder);
        // What nobody acknowledges must not wait for consumers that are held.
        try (QueueWorkers programs = MessageRun.programs(
                stack, target, "--window=0", "--patience=" + (held.toSeconds() + PATIENCE_SECONDS))) {
            programs.prepare(slice);
            programs.hold();
            long start = System.nanoTime();
            try (MessageRun run = MessageRun.begin(programs, slice)) {
                BacklogPhases phases = new BacklogPhases(programs.produced());
                while (!run.isOver()) {
                    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                    double seconds = (System.nanoTime() - start) / 1e9;
                    Progress now = programs.progress();
                    if (phases.number() == 0 && seconds >= held.toSeconds()) {
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
                tables.put("Brokers", List.of(broker.figures(held.toSeconds())));
                return CaseResult.since(
                        start, variant, "%s, %,d/s".formatted(NAME, rate), tables, List.of(), missed(target, counts));
            }
        }
    }

    /** A broker's files take more than the payloads, and a full disk would harm more than this case. */
    private static void requireDisk(Path folder, long payloads) throws IOException {
        long free = Files.getFileStore(folder).getUsableSpace();
        if (free < 2 * payloads) {
            throw new ProcessException(
                    "%s of messages need twice as much free disk, and %s are free. Free some, or choose a shorter --phase"
                            .formatted(Numbers.bytes(payloads), Numbers.bytes(free)));
        }
    }

    private static List<String> missed(Target.VariantTarget target, QueueFigures counts) {
        if (MessageRun.outlives(target) == Outlives.NOTHING) {
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
