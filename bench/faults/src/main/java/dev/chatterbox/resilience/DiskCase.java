package dev.chatterbox.resilience;

import dev.chatterbox.comparison.QueueWorkers;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.LoopDisk;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Target;
import dev.chatterbox.variants.Outlives;
import dev.chatterbox.workloads.MessageFile;
import dev.chatterbox.workloads.MessageFile.Field;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A case in which the disks of a broker, or of the nodes of a cluster, fail while messages are published, and what the
 * broker had acknowledged is counted afterwards. Nothing is consumed before that, because what was consumed cannot be
 * lost any more. The acknowledgements are noted in a file on another disk, as soon as they come.
 *
 * @param age how long messages were published before
 * @param run from 1
 */
record DiskCase(Failure failure, Duration age, int run) implements Scenario {

    private static final int RUNS = 3;

    /** The approximate duration of four starts of a broker, and of the patience for messages that do not come. */
    private static final int FRAME_SECONDS = 60;

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** How long a disk is full. */
    private static final int FULL_SECONDS = 10;

    /** A producer connects again and waits for acknowledgements for less. */
    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(20);

    /** What happens to the disk. */
    enum Failure {
        /** It loses what was never synced. The rate is what the broker takes. */
        POWER_CUT("power", "Power cuts", "users=1", Outlives.POWER_CUT),
        /** The same at a low rate, at which nothing waits for the disk. */
        POWER_CUT_AT_500("power-500", "Power cuts at 500 messages per second", "rate=500", Outlives.POWER_CUT),
        /** Of a cluster, one node loses what it never synced. */
        POWER_CUT_OF_ONE_NODE("power-one-node", "Power cuts of one node", "users=1", Outlives.BROKER),
        /** It has no space, and then has space again. At this rate no broker fills the disk by itself. */
        FULL("disk-full", "Full disks", "rate=500", Outlives.BROKER);

        private final String name;
        private final String table;
        private final Workload workload;
        private final Outlives mustOutlive;

        Failure(String name, String table, String load, Outlives mustOutlive) {
            this.name = name;
            this.table = table;
            this.mustOutlive = mustOutlive;
            // Each topic has an order.
            workload =
                    Workload.parse("queue calls=1 %s publishers=100 consumers=1 topics=16 payload=256".formatted(load));
        }
    }

    static List<DiskCase> all(Duration age) {
        return Stream.of(Failure.values())
                .flatMap(failure -> IntStream.rangeClosed(1, failure == Failure.POWER_CUT_AT_500 ? 1 : RUNS)
                        .mapToObj(run -> new DiskCase(failure, age, run)))
                .toList();
    }

    @Override
    public String name() {
        return failure.name;
    }

    @Override
    public boolean appliesTo(Target.VariantTarget variant) {
        int nodes = variant.brokers().size();
        return variant.queue().isPresent()
                && switch (failure) {
                    case POWER_CUT, POWER_CUT_AT_500 -> nodes > 0;
                    case POWER_CUT_OF_ONE_NODE -> nodes > 1;
                    case FULL -> nodes == 1;
                };
    }

    @Override
    public boolean needsNetwork() {
        return false;
    }

    @Override
    public boolean needsDisks() {
        return true;
    }

    @Override
    public double seconds() {
        return age.toSeconds() + FRAME_SECONDS;
    }

    @Override
    public CaseResult measure(StackUnderTest stack, Target.VariantTarget variant)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        List<String> nodes = variant.brokers().stream().map(Member::name).toList();
        List<LoopDisk> disks = new ArrayList<>();
        end(stack, nodes, VariantFaults.GRACE);
        try {
            for (String node : nodes) {
                disks.add(LoopDisk.mount(stack.testbed().stack().data(node)));
            }
            stack.faults().heal(Steps.SILENT);
            // Brokers do not sync what they write once, when they find an empty folder.
            disks.forEach(LoopDisk::sync);
            return measure(stack, variant, nodes, disks.get(0), start);
        } finally {
            end(stack, nodes, Duration.ZERO);
            disks.forEach(LoopDisk::close);
        }
    }

    private static void end(StackUnderTest stack, List<String> nodes, Duration grace) {
        nodes.forEach(node -> process(stack, node).ifPresent(process -> process.stop(grace)));
    }

    private CaseResult measure(
            StackUnderTest stack, Target.VariantTarget variant, List<String> nodes, LoopDisk disk, long start)
            throws IOException, InterruptedException {
        // The producer is killed before its last message.
        Slice slice = new Slice(name(), variant.name(), failure.workload, 0, 2 * age.toSeconds() + FRAME_SECONDS);
        try (QueueWorkers programs = MessageRun.programs(stack, variant)) {
            programs.prepare(slice);
            programs.hold();
            programs.begin(slice);
            TimeUnit.MILLISECONDS.sleep(age.toMillis());
            Figures figures =
                    new Figures().count("run", run).number("seconds before", age.toMillis() / 1e3, "%.0f", "");
            switch (failure) {
                case POWER_CUT, POWER_CUT_AT_500 -> stack.faults().cutPower(nodes);
                case POWER_CUT_OF_ONE_NODE -> stack.faults().cutPower(nodes.subList(0, 1));
                case FULL -> {
                    boolean recovers = recovers(disk, programs.produced(), figures);
                    figures.text("recovers alone", recovers ? "yes" : "no");
                    if (!recovers) {
                        end(stack, nodes, VariantFaults.GRACE);
                    }
                }
            }
            programs.killProducer();
            Optional<String> trouble = stack.failure(() -> stack.faults().heal(Steps.SILENT));
            boolean runs = nodes.stream().allMatch(node -> process(stack, node).isPresent());
            programs.result(slice, PATIENCE);
            QueueFigures counts = programs.messages();
            if (counts == null || counts.acknowledged() == 0) {
                throw new ProcessException("nothing was acknowledged before the disk failed");
            }
            List<String> missed = new ArrayList<>(
                    Criteria.missed(counts, MessageRun.outlives(variant).compareTo(failure.mustOutlive) < 0));
            if (!runs) {
                missed.add("the broker does not start: " + trouble.orElse(""));
            }
            return CaseResult.since(
                    start,
                    variant.name(),
                    name(),
                    Map.of(failure.table, List.of(add(figures, counts, runs))),
                    runs ? trouble.stream().toList() : List.of(),
                    missed);
        }
    }

    /** Fills the disk, gives the space back, and waits for the acknowledgement of a message that is published then. */
    private static boolean recovers(LoopDisk disk, MessageFile produced, Figures figures) throws InterruptedException {
        disk.fill();
        long before = produced.get(Field.COUNT);
        TimeUnit.SECONDS.sleep(FULL_SECONDS);
        figures.count("acknowledged while full", acknowledgedAfter(before, produced));
        disk.free();
        long begin = System.nanoTime();
        long full = produced.get(Field.COUNT);
        Double recovery = null;
        while (recovery == null && System.nanoTime() - begin < LONGEST_RECOVERY.toNanos()) {
            TimeUnit.MILLISECONDS.sleep(100);
            recovery = acknowledgedAfter(full, produced) > 0 ? (System.nanoTime() - begin) / 1e9 : null;
        }
        figures.number(
                "acknowledges again after",
                recovery,
                "%.1f s",
                "not within %d s".formatted(LONGEST_RECOVERY.toSeconds()));
        return recovery != null;
    }

    private static long acknowledgedAfter(long number, MessageFile produced) {
        return LongStream.rangeClosed(number + 1, produced.get(Field.COUNT))
                .filter(later -> produced.state((int) later) > 0)
                .count();
    }

    private static Optional<ChildProcess> process(StackUnderTest stack, String name) {
        return stack.testbed().stack().process(stack.faults().member(name));
    }

    private static Figures add(Figures figures, QueueFigures counts, boolean runs) {
        return figures.count("acknowledged", counts.acknowledged())
                .count("there", counts.consumed())
                .count("lost", counts.lost())
                .count("doubled", counts.doubled())
                .count("out of order", Objects.requireNonNull(counts.outOfOrder()))
                .number("published/s", counts.publishedPerSecond(), "%,.0f", "")
                .text("broker starts", runs ? "yes" : "no");
    }
}
