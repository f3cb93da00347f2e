package dev.chatterbox.comparison;

import dev.chatterbox.results.Results;
import dev.chatterbox.results.RoundTrip;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** What measures slices: one start of the stack, or a system that this program did not start. */
abstract class Run implements AutoCloseable {

    /** The doubt about a variant that got no load before it was measured. */
    static final String COLD = "nothing was warmed up";

    /** The number of the start, from 1. */
    final int start;

    final BlockCounts counts;
    final ProgressLine progress;
    private final BooleanSupplier interrupted;

    /** Sentences that say what is to doubt about the whole run, besides the doubts of its counts. */
    final Set<String> doubts = new LinkedHashSet<>();

    /** What each process did until the last block ended, by its name. */
    final Map<String, Results.ProcessFigures> processes = new LinkedHashMap<>();

    Run(int start, BlockCounts counts, ProgressLine progress, BooleanSupplier interrupted) {
        this.start = start;
        this.counts = counts;
        this.progress = progress;
        this.interrupted = interrupted;
    }

    final boolean interrupted() {
        return interrupted.getAsBoolean();
    }

    /** Carries out everything from the warm-up to the last block. */
    abstract void measure(Preset preset, Cells cells, Blocks blocks, Runnable afterBlock);

    void beginBlock() {}

    /**
     * Has one slice of each cell carried out, all at the same time, and adds them to their cells. If there are several,
     * only their costs are figures.
     */
    abstract void slices(List<CellLog> cells, int block, double expectedSeconds);

    /**
     * Ends a block before its counts are compared.
     *
     * @return the part of the processors, 0 to 1, that other programs used in it; empty if it is not known
     */
    OptionalDouble endBlock() {
        return OptionalDouble.empty();
    }

    /** Sentences that say why a cell is not ranked, besides those that its slices show. */
    List<String> doubts(CellLog cell) {
        return List.of();
    }

    /** What the network added to round trips. */
    List<RoundTrip> roundTrips() {
        return List.of();
    }

    /** How many processors each process used while nothing was called, by its name. */
    Map<String, Double> idleCpu() {
        return Map.of();
    }

    /** Waits; if the thread is interrupted, it ends early and keeps the interrupt. */
    static void pause(double seconds) {
        try {
            TimeUnit.MILLISECONDS.sleep(Math.round(seconds * 1000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all processes that carry out slices at once. May be called from any thread. */
    abstract void kill();

    @Override
    public abstract void close();
}
