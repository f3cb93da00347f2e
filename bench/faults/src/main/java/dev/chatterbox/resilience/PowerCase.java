package dev.chatterbox.resilience;

import dev.chatterbox.comparison.QueueWorkers;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.LoopDisk;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Target;
import dev.chatterbox.variants.Outlives;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A case in which the power of a broker's disk is cut while messages are published, and what the broker had acknowledged
 * is counted afterwards. Nothing is consumed before the cut, because what was consumed cannot be lost any more. The
 * acknowledgements are noted in a file on another disk, as soon as they come.
 *
 * @param age how long messages were published before the cut
 * @param run from 1
 */
record PowerCase(Duration age, int run) implements Scenario {

    static final String NAME = "power";

    static final String TABLE = "Power cuts";

    private static final int RUNS = 3;

    /** The approximate duration of four starts of a broker, and of the patience for messages that do not come. */
    private static final int FRAME_SECONDS = 60;

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Each topic has an order. */
    private static final Workload WORKLOAD =
            Workload.parse("queue calls=1 users=1 publishers=100 consumers=1 topics=16 payload=256");

    static List<PowerCase> all(Duration age) {
        return IntStream.rangeClosed(1, RUNS)
                .mapToObj(run -> new PowerCase(age, run))
                .toList();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean appliesTo(Target.VariantTarget variant) {
        return variant.queue().isPresent() && VariantProcess.BROKER.serves(variant);
    }

    @Override
    public boolean needsNetwork() {
        return false;
    }

    @Override
    public Optional<String> lack(Path directory) {
        return LoopDisk.lack(directory);
    }

    @Override
    public double seconds() {
        return age.toSeconds() + FRAME_SECONDS;
    }

    @Override
    public CaseResult measure(StackUnderTest stack, Target.VariantTarget variant)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        String broker = VariantProcess.BROKER.of(variant).orElseThrow();
        Stack files = stack.testbed().stack();
        stack.faults().running(broker).stop(VariantFaults.GRACE);
        try (LoopDisk disk =
                LoopDisk.mount(files.directory(), files.data(stack.faults().member(broker)))) {
            try {
                stack.faults().restart(broker, Steps.SILENT);
                // Brokers do not sync what they write once, when they find an empty folder.
                disk.sync();
                return measure(stack, variant, broker, disk, start);
            } finally {
                process(stack, broker).ifPresent(process -> process.stop(Duration.ZERO));
            }
        }
    }

    private CaseResult measure(
            StackUnderTest stack, Target.VariantTarget variant, String broker, LoopDisk disk, long start)
            throws IOException, InterruptedException {
        // The producer is killed before its last message.
        Slice slice = new Slice(NAME, variant.variant().name(), WORKLOAD, 0, 2 * age.toSeconds() + FRAME_SECONDS);
        try (QueueWorkers programs = MessageRun.programs(stack, variant)) {
            programs.prepare(slice);
            programs.hold();
            programs.begin(slice);
            TimeUnit.MILLISECONDS.sleep(age.toMillis());
            // A frozen broker acknowledges nothing that it cannot write any more.
            stack.faults().freeze(broker);
            disk.cutPower();
            stack.faults().kill(broker);
            programs.killProducer();
            disk.restorePower();
            Optional<String> failure = stack.failure(() -> stack.faults().restart(broker, Steps.SILENT));
            boolean starts = process(stack, broker).isPresent();
            programs.result(slice, PATIENCE);
            QueueFigures counts = programs.messages();
            if (counts == null || counts.acknowledged() == 0) {
                throw new ProcessException("nothing was acknowledged before the cut");
            }
            List<String> missed = new ArrayList<>(Criteria.missed(
                    counts, variant.variant().description().outlives().compareTo(Outlives.POWER_CUT) < 0));
            if (!starts) {
                missed.add("the broker does not start: " + failure.orElse(""));
            }
            return new CaseResult(
                    variant.variant().name(),
                    name(),
                    (System.nanoTime() - start) / 1e9,
                    Map.of(TABLE, List.of(figures(counts, starts))),
                    starts ? failure.stream().toList() : List.of(),
                    missed);
        }
    }

    private static Optional<ChildProcess> process(StackUnderTest stack, String name) {
        return stack.testbed().stack().process(stack.faults().member(name));
    }

    private Figures figures(QueueFigures counts, boolean starts) {
        return new Figures()
                .count("run", run)
                .number("seconds before the cut", age.toMillis() / 1e3, "%.0f", "")
                .count("acknowledged", counts.acknowledged())
                .count("there", counts.consumed())
                .count("lost", counts.lost())
                .count("doubled", counts.doubled())
                .count("out of order", Objects.requireNonNull(counts.outOfOrder()))
                .number("published/s", counts.publishedPerSecond(), "%,.0f", "")
                .text("broker starts", starts ? "yes" : "no");
    }
}
