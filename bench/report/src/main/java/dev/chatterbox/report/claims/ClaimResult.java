package dev.chatterbox.report.claims;

import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.SliceSeries;
import dev.chatterbox.results.Sums;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a run says of a claim.
 *
 * @param cases a figure for each published ratio; empty if the claim was not measured
 * @param ladder the factors of the claim's ladder, from its first row to its last; empty without one
 * @param why why nothing can be shown; empty if something can
 */
public record ClaimResult(Claim claim, List<CaseResult> cases, List<Step> ladder, Verdict verdict, String why) {

    /** A measured ratio agrees with a published one if its interval lies within this factor of it. */
    static final double FACTOR = 2;

    /** A smaller published ratio has no shares. */
    private static final double LEAST_SHARED = 2;

    /** @param published the ratio of the rows with the published settings; {@code repaired}: of the repaired ones */
    public record CaseResult(Claim.Case of, Estimate published, Estimate repaired) {

        /**
         * The part of the published ratio that the setting carries, by logarithms: 0 if the repaired rows show all of
         * it, 1 if they show nothing of it. NaN for a published ratio below 2, which leaves little to share.
         */
        public double share() {
            return of.ratio() < LEAST_SHARED
                    ? Double.NaN
                    : Math.log(of.ratio() / repaired.value()) / Math.log(of.ratio());
        }
    }

    /**
     * What is to be said of the figures from which the verdict comes. That the rows as published have the published
     * settings is what they are there for.
     */
    public List<Caveat> caveats() {
        return cases.stream()
                .flatMap(one -> verdict == Verdict.HOLDS
                        ? Stream.of(one.repaired())
                        : Stream.of(one.published(), one.repaired()))
                .flatMap(figure -> figure.caveats().stream())
                .filter(caveat -> !caveat.text().equals(Caveat.PUBLISHED_SETTINGS))
                .distinct()
                .toList();
    }

    /** The verdict in words. */
    public String text() {
        return verdict.text() + (caveats().isEmpty() ? "" : ", with a caveat");
    }

    /** From one row of a ladder to the next: the factor by which a call's CPU time falls. */
    public record Step(String from, String to, Estimate factor) {}

    /** @param results of the claim's run; null if there is none */
    public static ClaimResult of(Claim claim, @Nullable Results results) {
        Optional<Claim.Trial> trial = claim.trial();
        if (trial.isEmpty()) {
            return notShown(claim, "It waits for " + claim.needs() + ".");
        }
        if (results == null) {
            return notShown(claim, "No run of it came to its end.");
        }
        Estimator estimator = results.estimator();
        List<CaseResult> cases = new ArrayList<>();
        for (Claim.Case one : trial.get().cases()) {
            cases.add(new CaseResult(
                    one,
                    ratio(
                            results,
                            estimator,
                            trial.get().measure(),
                            one,
                            trial.get().published()),
                    ratio(
                            results,
                            estimator,
                            trial.get().measure(),
                            one,
                            trial.get().repaired())));
        }
        boolean measured = cases.stream()
                .allMatch(one -> Double.isFinite(one.published().value())
                        && Double.isFinite(one.repaired().value()));
        return measured
                ? new ClaimResult(claim, cases, ladder(trial.get(), results, estimator), verdict(cases), "")
                : notShown(claim, "A row that it needs was not measured, or its figures are not valid.");
    }

    private static ClaimResult notShown(Claim claim, String why) {
        return new ClaimResult(claim, List.of(), List.of(), Verdict.NOT_SHOWN, why);
    }

    private static Verdict verdict(List<CaseResult> cases) {
        if (all(cases, one -> agrees(one.repaired(), one.of().ratio()))) {
            return Verdict.HOLDS;
        }
        return all(cases, one -> agrees(one.published(), one.of().ratio()))
                ? Verdict.AS_PUBLISHED
                : Verdict.DOES_NOT_HOLD;
    }

    private static boolean all(List<CaseResult> cases, Predicate<CaseResult> holds) {
        return cases.stream().allMatch(holds);
    }

    /** A figure without an interval, such as a percentile, is held against the ratio by itself. */
    private static boolean agrees(Estimate ours, double ratio) {
        double from = ours.hasInterval() ? ours.from() : ours.value();
        double to = ours.hasInterval() ? ours.to() : ours.value();
        return ratio == Claim.SIGN_ONLY ? from > 1 : from >= ratio / FACTOR && to <= ratio * FACTOR;
    }

    private static Estimate ratio(
            Results results, Estimator estimator, Claim.Measure measure, Claim.Case of, Claim.Pair pair) {
        if (measure == Claim.Measure.IDLE || measure == Claim.Measure.INSTALLED) {
            return single(footprint(results, measure, pair.worse()), footprint(results, measure, pair.better()))
                    .with(results.caveats());
        }
        Optional<Cell> better = cell(results, pair.better(), of.workload());
        Optional<Cell> worse = cell(results, pair.worse(), of.against());
        if (better.isEmpty() || worse.isEmpty()) {
            return Estimate.NONE;
        }
        Estimate ratio = switch (measure) {
            case THROUGHPUT ->
                estimator
                        .ratio(Sums.throughput(better.get()), Sums.throughput(worse.get()))
                        .times((double) of.workload().calls() / of.against().calls());
            case CPU -> estimator.ratio(Sums.cpu(worse.get()), Sums.cpu(better.get()));
            case P50 ->
                single(
                        worse.get().requestLatency().p50(),
                        better.get().requestLatency().p50());
            case ONE_WAY -> single(oneWay(worse.get()), oneWay(better.get()));
            case MEMORY -> single(peak(worse.get()), peak(better.get()));
            case WRITTEN -> single(worse.get().writtenPerCall(), better.get().writtenPerCall());
            case BROKER -> estimator.ratio(Sums.cpu(worse.get(), Role.BROKER), Sums.cpu(better.get(), Role.BROKER));
            case SECOND_RUN -> secondRun(Sums.throughput(better.get()));
            case SPREAD -> spread(Sums.throughput(better.get()));
            case IDLE, INSTALLED -> Estimate.NONE;
        };
        return ratio.with(better.get().caveats()).with(worse.get().caveats()).with(results.caveats());
    }

    private static Estimate secondRun(Sums throughput) {
        return single(throughput.ofStart(2).value(), throughput.ofStart(1).value());
    }

    private static Estimate spread(Sums throughput) {
        return SliceSeries.of(throughput.blocks().stream().mapToDouble(block -> block.below() / block.above()))
                .map(seconds -> single(seconds.p95(), seconds.mean()))
                .orElse(Estimate.NONE);
    }

    private static @Nullable Double oneWay(Cell cell) {
        QueueFigures figures = cell.queue();
        return figures == null ? null : figures.oneWay().p50();
    }

    private static @Nullable Double peak(Cell cell) {
        Long bytes = cell.memory().get(Role.BROKER);
        return bytes == null ? null : bytes.doubleValue();
    }

    private static @Nullable Double footprint(Results results, Claim.Measure measure, String row) {
        Environment.RowSettings settings =
                results.environment().settings().rows().get(row);
        Environment.Footprint broker =
                settings == null ? null : results.environment().brokers().get(String.valueOf(settings.broker()));
        if (broker == null) {
            return null;
        }
        Long bytes = measure == Claim.Measure.IDLE ? broker.idleBytes() : broker.installedBytes();
        return bytes == null ? null : bytes.doubleValue();
    }

    /** Of two figures without intervals, whose caveats the caller knows. */
    private static Estimate single(@Nullable Double above, @Nullable Double below) {
        return above == null || below == null ? Estimate.NONE : Estimate.of(above / below, List.of());
    }

    private static Optional<Cell> cell(Results results, String row, Workload workload) {
        return results.cell(row, workload, null).filter(Cell::valid);
    }

    private static List<Step> ladder(Claim.Trial trial, Results results, Estimator estimator) {
        Workload workload = trial.cases().get(0).workload();
        List<Step> steps = new ArrayList<>();
        for (int i = 1; i < trial.ladder().size(); i++) {
            String from = trial.ladder().get(i - 1);
            String to = trial.ladder().get(i);
            Optional<Cell> above = cell(results, from, workload);
            Optional<Cell> below = cell(results, to, workload);
            steps.add(new Step(
                    from,
                    to,
                    above.isEmpty() || below.isEmpty()
                            ? Estimate.NONE
                            : estimator
                                    .ratio(Sums.cpu(above.get()), Sums.cpu(below.get()))
                                    .with(results.caveats())));
        }
        return List.copyOf(steps);
    }
}
