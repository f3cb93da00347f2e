package dev.chatterbox.resilience;

import dev.chatterbox.comparison.QueueWorkers.Progress;
import dev.chatterbox.workloads.MessageFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How messages pile up while their consumers are held, and how they go when they are not. For one thread, which looks
 * several times a second.
 */
final class Backlog {

    /** Messages that were published and not yet consumed, below which a backlog counts as drained; or half a second's. */
    private static final int FEW = 1_000;

    private static final Duration SAMPLE_EVERY = Duration.ofSeconds(1);

    private static final List<String> PHASES = List.of("held", "draining", "drained");

    private final int few;
    private final MessageFile produced;
    private final long begin = System.nanoTime();
    private final List<BacklogResult.Phase> phases = new ArrayList<>();
    private final List<BacklogResult.Progress> progress = new ArrayList<>();
    private long since = begin;
    private Progress before = new Progress(0, 0);

    /**
     * @param rate messages a second
     * @param produced what is known of each published message
     */
    Backlog(int rate, MessageFile produced) {
        few = Math.max(FEW, rate / 2);
        this.produced = produced;
    }

    /** @param held whether the consumers are held */
    void look(Progress now, boolean held) {
        long nanos = System.nanoTime() - begin;
        if (nanos >= progress.size() * SAMPLE_EVERY.toNanos()) {
            progress.add(new BacklogResult.Progress(nanos / 1e9, now.published(), now.consumed()));
        }
        boolean drained = now.published() - now.consumed() <= few;
        if (phases.isEmpty() ? !held : phases.size() == 1 && drained) {
            end(now);
        }
    }

    /** Ends a phase; the last one when all is over. */
    void end(Progress now) {
        long time = System.nanoTime();
        double seconds = (time - since) / 1e9;
        phases.add(new BacklogResult.Phase(
                PHASES.get(phases.size()),
                seconds,
                (now.published() - before.published()) / seconds,
                (now.consumed() - before.consumed()) / seconds,
                Math.max(0, now.published() - now.consumed()),
                p99Millis((int) before.published(), (int) now.published())));
        since = time;
        before = now;
    }

    /** Of the messages that were published in a phase; null without acknowledgements. */
    private @Nullable Double p99Millis(int after, int last) {
        Histogram micros = new Histogram(3);
        for (int number = after + 1; number <= last; number++) {
            if (produced.state(number) > 0) {
                micros.recordValue(produced.state(number));
            }
        }
        return micros.getTotalCount() == 0 ? null : Double.valueOf(micros.getValueAtPercentile(99) / 1e3);
    }

    List<BacklogResult.Phase> phases() {
        return List.copyOf(phases);
    }

    List<BacklogResult.Progress> progress() {
        return List.copyOf(progress);
    }
}
