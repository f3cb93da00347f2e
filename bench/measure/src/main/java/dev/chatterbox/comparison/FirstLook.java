package dev.chatterbox.comparison;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A table that comes within seconds of the start, while every JVM is cold. It shows that all variants answer, and the
 * order of magnitude of their figures. It has no ranks and is in no result.
 */
final class FirstLook {

    /** How long a look at one variant under one workload takes. */
    private static final double SECONDS = 0.5;

    /** More workloads would not fit on a line. */
    private static final int WORKLOADS = 2;

    /** The width of a workload's column, in letters. */
    private static final int WIDTH = 26;

    private final LocalRun run;
    private final List<Workload> workloads;

    /** What a variant showed under a workload. The cost is not finite if no request was answered right. */
    record Look(double cpuMicrosPerCall, double callsPerSecond) {}

    FirstLook(LocalRun run, Preset preset) {
        this.run = run;
        workloads = preset.headline().stream()
                .filter(workload -> !workload.isOpen())
                .limit(WORKLOADS)
                .toList();
    }

    /** @param secondsLeft seconds until the table that counts; their line must fit on a terminal of 79 columns */
    List<String> of(List<Subject> variants, double secondsLeft) {
        List<String> lines = new ArrayList<>();
        lines.add("A first look: cold, no ranks. The table that counts comes in about %s."
                .formatted(Numbers.time(secondsLeft)));
        lines.add(line("", workload -> fitting(workload.toString())));
        variants.forEach(variant -> lines.add(line(
                variant.variant(), workload -> variant.has(workload.mode()) ? text(variant.under(workload)) : "")));
        return lines;
    }

    private String line(String variant, Function<Workload, String> column) {
        return workloads.stream()
                .map(workload -> "  %-26s".formatted(column.apply(workload)))
                .collect(Collectors.joining("", "  %-16s".formatted(variant), ""))
                .stripTrailing();
    }

    /** The text of a queue's workload has more than the width of a column. */
    private static String fitting(String workload) {
        return workload.length() <= WIDTH ? workload : workload.substring(0, WIDTH - 1) + "…";
    }

    private String text(Subject subject) {
        if (run.interrupted()) {
            return "";
        }
        run.progress.doing("a first look at " + subject.variantKey(), 0);
        Look look = run.look(subject, SECONDS);
        return look.callsPerSecond() > 0
                ? "%s CPU-µs  %s calls/s"
                        .formatted(Numbers.digits(look.cpuMicrosPerCall()), Numbers.whole(look.callsPerSecond()))
                : "no right answer yet";
    }

    /** Whether the run has variants and workloads to look at. */
    static boolean isPossible(Preset preset, List<Subject> subjects) {
        return subjects.stream().allMatch(subject -> subject.side().isEmpty())
                && preset.warmUpLoad().isPresent()
                && preset.headline().stream().anyMatch(workload -> !workload.isOpen());
    }

    /** The subjects without the zero line, which is no variant to choose. */
    static List<Subject> variants(List<Subject> all) {
        return all.stream()
                .filter(subject -> !subject.variant().equals(Cell.ZERO_LINE))
                .toList();
    }
}
