package dev.chatterbox.resilience;

import dev.chatterbox.comparison.QueueWorkers;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.stack.Target;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one-way messages, by the files of their two programs; {@link QueueFigures} explains each count.
 *
 * @param outOfOrder messages that came after one with a higher number of the same topic; null where no order is promised
 * @param consumed null where nothing is known, as the three after it
 */
record QueueCounts(
        String ended,
        long published,
        long acknowledged,
        long refused,
        long unknown,
        @Nullable Long outOfOrder,
        @Nullable Long consumed,
        @Nullable Long missing,
        @Nullable Long lost,
        @Nullable Long doubled) {

    static final int MOST = 1_000_000;

    static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Of a run that could not be made. */
    static final QueueCounts FAILED = new QueueCounts("failed", 0, 0, 0, 0, null, null, null, null, null);

    /** @param inOrder whether one publisher and one consumer are promised an order */
    static QueueCounts of(QueueFigures counts, boolean inOrder) {
        return new QueueCounts(
                counts.end(),
                counts.published(),
                counts.acknowledged(),
                counts.refused(),
                counts.unknown(),
                inOrder ? counts.outOfOrder() : null,
                counts.consumed(),
                counts.missing(),
                counts.lost(),
                counts.doubled());
    }

    /** Whether it is known that an acknowledged message is lost. */
    boolean losesSome() {
        return lost != null && lost > 0;
    }

    /** Those of the named rows that have one-way messages. */
    static List<Target.RowTarget> rows(Target target, List<String> names) {
        return target.rows().stream()
                .filter(row -> names.contains(row.row().name()) && row.queue().isPresent())
                .toList();
    }

    /** Starts the programs of a row's one-way messages. */
    static QueueWorkers programs(Target.RowTarget row, Path folder, List<String> arguments) {
        return QueueWorkers.start(row.row().name(), row.queue().orElseThrow(), folder, "", arguments);
    }

    /** @param what the rest of the workload, in its text form */
    static Slice slice(Target.RowTarget row, int messages, String what) {
        Workload workload = Workload.parse("queue calls=%d users=1 %s".formatted(messages, what));
        return new Slice("messages", row.row().name(), workload, 1, 0);
    }

    /** Has a slice carried out, and waits until it is over. */
    static QueueFigures counts(QueueWorkers programs, Slice slice) throws IOException {
        programs.prepare(slice);
        programs.begin(slice);
        return result(programs, slice);
    }

    /** Waits for the outcome of a slice that has begun. */
    static QueueFigures result(QueueWorkers programs, Slice slice) throws IOException {
        programs.result(slice, PATIENCE);
        QueueFigures counts = programs.messages();
        if (counts == null || counts.published() == 0) {
            throw new IOException("nothing was published");
        }
        return counts;
    }
}
