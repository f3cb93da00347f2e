package dev.chatterbox.report;

import dev.chatterbox.report.tables.Table;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.Sums;
import dev.chatterbox.workloads.Workload;
import java.util.List;

/**
 * Two stacks that were measured in the same blocks: the cost of a call in this one, divided by its cost in the base.
 *
 * @param ratios one for each workload and each variant that both stacks have
 */
public record Against(List<Ratio> ratios) {

    public static final String BASE = "base";
    public static final String THIS = "this";

    /**
     * @param cpu the ratio of the costs of a call; it is not judged if it has a caveat
     */
    public record Ratio(String variant, Workload workload, Estimate base, Estimate own, Estimate cpu) {

        boolean isJudged() {
            return cpu.caveats().isEmpty() && cpu.hasInterval();
        }

        /** Whether a call costs more, by over this part, with 99 % confidence: 0.05 is 5 %. */
        boolean costsMoreThan(double part) {
            return isJudged() && cpu.from() > 1 + part;
        }

        /** "costs 12 % [9.1 %–15 %] more", "no difference above 4.1 %" */
        String verdict() {
            if (!cpu.caveats().isEmpty()) {
                return "not judged";
            }
            if (!cpu.hasInterval()) {
                return "too few blocks to judge";
            }
            if (costsMoreThan(0)) {
                return "costs %s more".formatted(percents(cpu.value() - 1, cpu.from() - 1, cpu.to() - 1));
            }
            if (cpu.to() < 1) {
                return "costs %s less".formatted(percents(1 - cpu.value(), 1 - cpu.to(), 1 - cpu.from()));
            }
            return "no difference above " + Numbers.percent(Math.max(cpu.to() - 1, 1 - cpu.from()));
        }

        private static String percents(double value, double from, double to) {
            return "%s [%s–%s]".formatted(Numbers.percent(value), Numbers.percent(from), Numbers.percent(to));
        }
    }

    /** @param results results whose cells have the sides {@value #BASE} and {@value #THIS} */
    public static Against of(Results results) {
        return new Against(results.workloads().stream()
                .flatMap(workload -> results.variants(workload).stream())
                .filter(own -> THIS.equals(own.side()))
                .flatMap(own -> results.cell(own.variant(), own.workload(), BASE).stream()
                        .map(base -> new Ratio(
                                own.variant(),
                                own.workload(),
                                Estimator.COMMITTED.figure(Sums.cpu(base)),
                                Estimator.COMMITTED.figure(Sums.cpu(own)),
                                Estimator.COMMITTED.ratio(Sums.cpu(own), Sums.cpu(base)))))
                .toList());
    }

    /**
     * Variants that cost more in this stack, by over this part, with 99 % confidence, under any workload: 0.05 is 5 %.
     */
    public List<String> costlierThan(double part) {
        return ratios.stream()
                .filter(ratio -> ratio.costsMoreThan(part))
                .map(Ratio::variant)
                .distinct()
                .sorted()
                .toList();
    }

    /** Whether there is a ratio, and all ratios can be judged. */
    public boolean valid() {
        return !ratios.isEmpty() && ratios.stream().allMatch(Ratio::isJudged);
    }

    List<String> sentences() {
        return ratios.stream()
                .map(ratio ->
                        "%s, %s: %s.".formatted(ratio.variant(), WorkloadText.of(ratio.workload()), ratio.verdict()))
                .toList();
    }

    /** Begins a table of ratios, with the names of what is divided. */
    static Table.Description<Ratio> table(String title, String base, String own, String ratio) {
        return Table.<Ratio>of(title)
                .variant(Ratio::variant)
                .text("workload", Ratio::workload)
                .figure(base, Ratio::base, Numbers::digits)
                .figure(own, Ratio::own, Numbers::digits)
                .figure(ratio, Ratio::cpu, Numbers::ratio);
    }

    Table table() {
        List<String> notes =
                ratios.stream().map(ratio -> ratio.cpu().width()).filter(Double::isFinite).max(Double::compare).stream()
                        .map(widest ->
                                "The intervals are of 99 %% and hold what two starts of one stack differ by; the widest reaches %s above its ratio."
                                        .formatted(Numbers.percent(widest)))
                        .toList();
        return table("This stack against the base, CPU-µs per call", "base", "this", "ratio")
                .text("verdict", Ratio::verdict)
                .table(ratios, ratio -> !ratio.isJudged() || ratio.costsMoreThan(0), notes);
    }
}
