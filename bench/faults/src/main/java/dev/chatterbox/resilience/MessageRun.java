package dev.chatterbox.resilience;

import dev.chatterbox.comparison.QueueWorkers;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.stack.Target;
import dev.chatterbox.variants.Outlives;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** One-way messages that are under way between the two programs of a variant. For one thread. */
final class MessageRun implements AutoCloseable {

    /** What a one-way message over a variant outlives. */
    static Outlives outlives(Target.VariantTarget variant) {
        return variant.variant().queue().orElseThrow().outlives();
    }

    /** The most messages of a run. */
    static final int MOST = 1_000_000;

    /** The messages of the first run that shows what a variant can. */
    static final int FEWEST = 20_000;

    /** The approximate duration of the other runs that show it. */
    private static final double CAPACITY_SECONDS = 5;

    private static final int CAPACITY_RUNS = 3;

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** The title of the table of {@link #figures}. */
    static final String TABLE = "Messages";

    private final QueueWorkers programs;
    private final CompletableFuture<QueueFigures> counts;

    private MessageRun(QueueWorkers programs, CompletableFuture<QueueFigures> counts) {
        this.programs = programs;
        this.counts = counts;
    }

    /** Starts the programs of a variant. */
    static QueueWorkers programs(StackUnderTest stack, Target.VariantTarget variant, String... arguments) {
        return new QueueWorkers(
                variant.name(),
                variant.queue().orElseThrow(),
                stack.testbed().stack().directory(),
                "",
                List.of(arguments));
    }

    /** @param what the rest of the workload, in its text form */
    static Slice slice(Target.VariantTarget variant, int messages, String what) {
        Workload workload = Workload.parse("queue calls=%d users=1 %s".formatted(messages, what));
        return new Slice("messages", variant.name(), workload, 1, 0);
    }

    /** Lets the programs begin a slice for which they are prepared. */
    static MessageRun begin(QueueWorkers programs, Slice slice) {
        programs.begin(slice);
        return new MessageRun(programs, CompletableFuture.supplyAsync(() -> {
            programs.result(slice, PATIENCE);
            return counts(programs);
        }));
    }

    private static QueueFigures counts(QueueWorkers programs) {
        QueueFigures counts = programs.messages();
        if (counts == null || counts.published() == 0) {
            throw new ProcessException("nothing was published");
        }
        return counts;
    }

    /** How many messages per second the programs of a variant can publish and consume. */
    static double capacity(StackUnderTest stack, Target.VariantTarget variant, String what) {
        double perSecond = FEWEST / CAPACITY_SECONDS;
        try (QueueWorkers programs = programs(stack, variant)) {
            for (int i = 0; i < CAPACITY_RUNS; i++) {
                int messages = (int) Math.max(1, Math.min(MOST, perSecond * CAPACITY_SECONDS));
                programs.carryOut(slice(variant, messages, what), PATIENCE);
                perSecond = messages / Math.max(1e-3, counts(programs).consumeSeconds());
            }
        }
        return perSecond;
    }

    /**
     * @param planned how many messages were to be published
     * @param inOrder whether an order of them is promised
     */
    static Figures figures(int planned, boolean inOrder, QueueFigures counts) {
        return new Figures()
                .count("messages", planned)
                .count("acknowledged", counts.acknowledged())
                .count("unknown", counts.unknown())
                .count("missing", counts.missing())
                .count("lost", counts.lost())
                .count("doubled", counts.doubled())
                .text("ended", counts.end())
                .add(
                        "out of order",
                        Objects.requireNonNull(counts.outOfOrder()),
                        inOrder ? "%,d".formatted(counts.outOfOrder()) : "")
                .count("refused", counts.refused())
                .count("consumed", counts.consumed())
                .number("seconds", counts.consumeSeconds(), "%.1f", "");
    }

    boolean isOver() {
        return counts.isDone();
    }

    /** Waits until all messages are consumed, or nothing more comes. */
    QueueFigures counts() throws InterruptedException {
        try {
            return counts.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    /** Ends the programs of a run that is not over, and has no end in sight because its case has failed. */
    @Override
    public void close() {
        if (!isOver()) {
            programs.kill();
            counts.handle((done, failed) -> true).join();
        }
    }
}
