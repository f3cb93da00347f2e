package dev.chatterbox.comparison;

import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What carries out slices: one process, or the two programs of one-way messages. */
interface SliceWorker extends AutoCloseable {

    /** Gets ready for a slice, before its CPU time is counted. */
    default void prepare(Slice slice) {}

    void begin(Slice slice);

    /**
     * Waits for the result of the slice that has begun.
     *
     * @throws ProcessException a process is gone, or gave no result in time
     */
    SliceResult result(Slice slice, Duration patience);

    /** What became of the one-way messages of the slice whose result came last; null if there are none. */
    default @Nullable QueueFigures messages() {
        return null;
    }

    /** Has a slice carried out, as the three methods above. */
    default SliceResult carryOut(Slice slice, Duration patience) {
        prepare(slice);
        begin(slice);
        return result(slice, patience);
    }

    /** The roles of its processes, by pid. */
    Map<Long, String> roles();

    /** Ends its processes at once, from any thread. A caller that waits for a result gets an exception. */
    void kill();

    @Override
    void close();
}
