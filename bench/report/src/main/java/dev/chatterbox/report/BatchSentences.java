package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What batches are worth: beside single calls over the same row, and over one whose single calls cost less. */
final class BatchSentences {

    private final MeasuredRun run;
    private final List<Workload> batches;
    private final Workload single;

    /** @param line over the calls in a message */
    BatchSentences(MeasuredRun run, Axis.AxisLine line) {
        this.run = run;
        batches = line.workloads();
        single = batches.get(0).by(Exchange.UNARY, 1);
    }

    /** May be empty: where nothing but batches was measured, or nothing of it is ranked. */
    Sentence all() {
        Workload largest = batches.get(batches.size() - 1);
        List<Sentence> worth = new ArrayList<>();
        List<Sentence> overtaking = new ArrayList<>();
        boolean judged = true;
        for (String row : run.rows()) {
            Figure alone = cpu(row, single);
            Figure together = cpu(row, largest);
            if (alone.exists() && together.exists()) {
                judged &= Noise.judged(alone, together);
                worth.add(Sentence.of(
                        "{} over {}", Numbers.percent(together.median() / alone.median()), Sentence.row(row)));
            }
            for (String other : run.rows()) {
                overtaking(row, other).ifPresent(overtaking::add);
            }
        }
        if (worth.isEmpty()) {
            return Sentence.EMPTY;
        }
        Sentence sentence = Sentence.of(
                "Of what a single call costs, one in a message of {} costs {}.",
                Numbers.whole(largest.size()),
                Sentence.list(worth));
        if (!overtaking.isEmpty()) {
            sentence = Sentence.of("{} In batches {}.", sentence, Sentence.joined("; ", overtaking));
        }
        return judged ? sentence : sentence.then(" " + RankingSentence.INDICATION);
    }

    /**
     * Where single calls over a row cost more than over another one: from which size on its batches cost less. Empty
     * also where the largest cost more again, or nothing is known of any.
     */
    private Optional<Sentence> overtaking(String row, String other) {
        Figure level = cpu(other, single);
        Figure alone = cpu(row, single);
        if (!level.exists() || !alone.exists() || alone.median() <= level.median() || close(alone, level)) {
            return Optional.empty();
        }
        Workload from = null;
        boolean anyBelow = false;
        boolean below = true;
        for (int i = batches.size() - 1; i >= 0; i--) {
            Figure figure = cpu(row, batches.get(i));
            if (figure.exists()) {
                boolean less = figure.median() < level.median() && !close(figure, level);
                anyBelow |= less;
                below &= less;
                from = below ? batches.get(i) : from;
            }
        }
        if (from != null) {
            return Optional.of(Sentence.of(
                    "{} costs less than single calls over {} from {} a message on",
                    Sentence.row(row),
                    Sentence.row(other),
                    Numbers.counted(from.size(), "call")));
        }
        return anyBelow || batches.stream().noneMatch(batch -> cpu(row, batch).exists())
                ? Optional.empty()
                : Optional.of(Sentence.of(
                        "{} costs no less than single calls over {} in any batch",
                        Sentence.row(row),
                        Sentence.row(other)));
    }

    private static boolean close(Figure a, Figure b) {
        return Noise.judged(a, b) && Noise.tooClose(a, b);
    }

    private Figure cpu(String row, Workload workload) {
        return run.cell(row, workload)
                .filter(Cell::valid)
                .filter(cell -> Metric.CPU.notRanked(cell).isEmpty())
                .map(Metric.CPU::of)
                .orElse(Figure.NONE);
    }
}
