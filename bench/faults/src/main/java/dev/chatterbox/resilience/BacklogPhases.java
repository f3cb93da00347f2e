package dev.chatterbox.resilience;

import dev.chatterbox.comparison.QueueWorkers.Progress;
import dev.chatterbox.workloads.MessageFile;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The phases of a backlog, the first of which begins with this object. For one thread. */
final class BacklogPhases {

    private static final List<String> NAMES = List.of("held", "draining", "drained");

    private final MessageFile produced;
    private final List<Figures> ended = new ArrayList<>();
    private long since = System.nanoTime();
    private Progress before = new Progress(0, 0);

    /** @param produced what is known of each published message */
    BacklogPhases(MessageFile produced) {
        this.produced = produced;
    }

    /** How many phases have ended. */
    int number() {
        return ended.size();
    }

    /** Ends a phase; the last one when all is over. */
    void end(Progress now) {
        long time = System.nanoTime();
        double seconds = (time - since) / 1e9;
        ended.add(new Figures()
                .text("phase", NAMES.get(ended.size()))
                .number("seconds", seconds, "%.1f", "")
                .number("published/s", (now.published() - before.published()) / seconds, "%,.0f", "")
                .number("received/s", (now.consumed() - before.consumed()) / seconds, "%,.0f", "")
                .count("waiting at its end", Math.max(0, now.published() - now.consumed()))
                .number(
                        "p99 of acknowledgements",
                        p99Millis((int) before.published(), (int) now.published()),
                        "%.1f ms",
                        ""));
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

    List<Figures> ended() {
        return List.copyOf(ended);
    }
}
