package dev.chatterbox.comparison;

import dev.chatterbox.processes.clocks.CpuParts;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.results.Sums;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The blocks of a comparison. In each block every variant has one slice under each workload, in a new random order.
 * Cells outside the headline are only in every fourth block, and bare clients in every second one. Two sides have their
 * slices at the same time, except in every fourth block, where they take turns.
 */
final class Blocks {

    /** Cells outside the headline have a slice in every block of this number. */
    static final int EVERY = 4;

    private static final int BARE_EVERY = 2;

    /** Seconds that a slice takes besides its own work: the tail, and the readings of clocks and counts. */
    private static final double BETWEEN = 0.2;

    static final double EMPTY_SLICE = 0.25;

    /** A block does not count if other programs use more than this part of the processors. */
    private static final double OTHER_LOAD = 0.1;

    private final Preset preset;
    private final Cells cells;
    private final Random order;
    private final Map<List<Integer>, Double> disturbed = new LinkedHashMap<>();
    private int whole;

    /** @param order draws the order of slices */
    Blocks(Preset preset, Cells cells, Random order) {
        this.preset = preset;
        this.cells = cells;
        this.order = order;
    }

    /**
     * Carries out blocks in which only calls are counted, and corrects the calibration by them; the first one has all
     * cells, the others the headline. Ends when the compilers have little left to do, or when the warm-up's time is
     * over.
     */
    void rehearse(LocalRun run, List<CellLog> all) {
        Rehearsal rehearsal = new Rehearsal();
        List<CellLog> some = all;
        // The time begins after the first block, which has all cells and may take longer than that.
        long begin = 0;
        while (!run.interrupted()
                && !some.isEmpty()
                && !rehearsal.isOver()
                && (begin == 0
                        || (System.nanoTime() - begin) / 1e9 < preset.effort().warmUpSeconds())) {
            rehearsal.begin();
            for (List<CellLog> together : ordered(some, false)) {
                rehearse(run, together, rehearsal);
            }
            run.progress.log("rehearsal  JIT of %s".formatted(rehearsal));
            begin = begin == 0 ? System.nanoTime() : begin;
            some = all.stream().filter(CellLog::isHeadline).toList();
        }
    }

    private void rehearse(LocalRun run, List<CellLog> together, Rehearsal rehearsal) {
        if (run.interrupted()) {
            return;
        }
        Subject subject = together.get(0).subject();
        double seconds = begin(run, "rehearsal", together);
        Set<Long> pids = together.stream()
                .flatMap(cell -> run.system(cell.subject()).keySet().stream())
                .collect(Collectors.toSet());
        CpuParts before = CpuParts.of(pids);
        cells.correct(together, run.rehearse(together, seconds), run.start);
        CpuParts after =
                WarmUp.untilCompilersRest(run, pids, 10 * preset.effort().sliceSeconds());
        rehearsal.add(subject.variant(), after.since(before).jitShare());
    }

    /**
     * Carries out the blocks of one start.
     *
     * @param afterBlock called between a whole block and the next one, while nothing is measured
     */
    void run(Run run, List<CellLog> all, Runnable afterBlock) {
        List<CellLog> headline = all.stream().filter(CellLog::isHeadline).toList();
        List<CellLog> withBare = all.stream()
                .filter(cell -> cell.isHeadline() || cell.subject().bare())
                .toList();
        long begin = System.nanoTime();
        for (int block = 1; !run.interrupted(); block++) {
            double left = preset.effort().seconds() - (System.nanoTime() - begin) / 1e9;
            boolean every = block % EVERY == 1 && (block == 1 || seconds(all) <= left);
            List<CellLog> now = every ? all : block % BARE_EVERY == 1 ? withBare : headline;
            if (now.isEmpty()
                    || block > 1 && seconds(now) > left
                    || block > preset.effort().blocks()
                            && isNarrowEnough(headline, preset.effort().width())) {
                return;
            }
            run.progress.expect(Math.max(0, left));
            block(run, block, now, afterBlock);
        }
    }

    private double seconds(List<CellLog> some) {
        return EMPTY_SLICE
                + some.stream().mapToDouble(cell -> cell.seconds() + BETWEEN).sum();
    }

    private void block(Run run, int number, List<CellLog> some, Runnable afterBlock) {
        long begin = System.nanoTime();
        OptionalDouble other = OptionalDouble.empty();
        boolean over = false;
        try {
            run.beginBlock();
            for (List<CellLog> together : ordered(some, number % EVERY == 0)) {
                if (!run.interrupted()) {
                    run.slices(together, number, begin(run, "block " + number, together));
                }
            }
            other = run.endBlock();
            run.counts.close(some, run.start, number);
            over = !run.interrupted();
        } finally {
            if (!over) {
                // An unfinished block would favour variants that had a slice. The very first one is shown: nothing else
                // is known.
                some.forEach(cell -> cell.leaveOut(run.start, number, whole > 0));
            }
        }
        if (!over) {
            return;
        }
        whole++;
        other.ifPresent(load -> {
            if (load > OTHER_LOAD) {
                disturbed.put(List.of(run.start, number), load);
            }
        });
        afterBlock.run();
        run.progress.log("block %d: %d slices in %s"
                .formatted(number, some.size(), Numbers.time((System.nanoTime() - begin) / 1e9)));
    }

    /** @return about how many seconds the slices of these cells take */
    private double begin(Run run, String name, List<CellLog> together) {
        Subject subject = together.get(0).subject();
        double seconds = together.stream().mapToDouble(CellLog::seconds).sum();
        run.progress.doing("%s  %s".formatted(name, subject), seconds + BETWEEN);
        together.forEach(
                cell -> cell.subject().target().setDistance(subject.workload().distanceMillis()));
        return seconds;
    }

    /**
     * Draws an order of the workloads, and of the variants in each, so that the variants that are compared are
     * neighbours.
     *
     * @param inTurns whether two sides have their slices one after the other
     */
    private List<List<CellLog>> ordered(List<CellLog> some, boolean inTurns) {
        List<List<CellLog>> workloads = groups(
                some,
                cell -> cell.subject().bare()
                        ? "bare"
                        : cell.subject().workload().toString());
        Collections.shuffle(workloads, order);
        List<List<CellLog>> ordered = new ArrayList<>();
        for (List<CellLog> workload : workloads) {
            List<List<CellLog>> variants =
                    groups(workload, cell -> cell.subject().variant());
            Collections.shuffle(variants, order);
            for (List<CellLog> sides : variants) {
                Collections.shuffle(sides, order);
                if (inTurns) {
                    sides.forEach(side -> ordered.add(List.of(side)));
                } else {
                    ordered.add(sides);
                }
            }
        }
        return ordered;
    }

    private static List<List<CellLog>> groups(List<CellLog> some, Function<CellLog, String> by) {
        return new ArrayList<>(some.stream()
                .collect(Collectors.groupingBy(
                        by, LinkedHashMap::new, Collectors.<CellLog, List<CellLog>>toCollection(ArrayList::new)))
                .values());
    }

    /** Looks only at the widths of the intervals, never at their values. */
    static boolean isNarrowEnough(List<CellLog> headline, double width) {
        Map<String, List<Sums>> compared = new TreeMap<>();
        for (CellLog log : headline) {
            Cell cell = log.cell(List.of());
            boolean hasCost = !Sums.cpu(cell).blocks().isEmpty();
            if (cell.valid() && hasCost && (cell.side() != null || !cell.isZeroLine())) {
                compared.computeIfAbsent(
                                cell.workload() + (cell.side() == null ? "" : " " + cell.variant()),
                                none -> new ArrayList<>())
                        .add(Sums.cpu(cell));
            }
        }
        // More blocks narrow only their own part of an interval; the spread between starts stays.
        Estimator blocks = Estimator.ofBlocks();
        return compared.values().stream()
                .allMatch(variants -> IntStream.range(0, variants.size())
                        .allMatch(i -> variants.subList(0, i).stream()
                                .allMatch(other ->
                                        blocks.ratio(variants.get(i), other).width() <= width)));
    }

    /** A sentence if other programs used the processors in most blocks; empty if variants may be ranked. */
    Optional<String> whyNothingIsRanked() {
        return areMostlyDisturbed()
                ? Optional.of("other programs took more than %.0f %% of the processors in %d of %d blocks"
                        .formatted(100 * OTHER_LOAD, disturbed.size(), whole))
                : Optional.empty();
    }

    /**
     * A slice that does not count if other programs used the processors in its block. If most blocks are such, they all
     * count: this machine has nothing better now.
     */
    SliceFigures withoutOtherPrograms(SliceFigures slice) {
        Double load = areMostlyDisturbed() ? null : disturbed.get(List.of(slice.start(), slice.block()));
        return load == null
                ? slice
                : slice.without(List.of("%s %.0f %% of the processors in its block"
                        .formatted(SliceFigures.OTHER_PROGRAMS, 100 * load)));
    }

    boolean areMostlyDisturbed() {
        return disturbed.size() * 2 > whole;
    }
}
