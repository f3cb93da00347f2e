package dev.chatterbox.report.claims;

import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Quantile;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.Sums;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a run says of a claim.
 *
 * @param cases a figure for each published ratio; empty if the claim was not measured
 * @param why why nothing can be shown; empty if something can
 */
public record ClaimResult(Claim claim, List<CaseResult> cases, String why) {

    /**
     * A published ratio and ours.
     *
     * @param published the ratio of the variants with the published settings
     * @param repaired the ratio of the variants with the setting changed that is thought to carry the claim
     * @param verdict on the variants with the published settings
     */
    public record CaseResult(Claim.Case of, Estimate published, Estimate repaired, Verdict verdict) {

        /**
         * The part of our ratio with the published settings that is gone with the setting changed, by logarithms: 0 if
         * all of it is left, 1 if nothing is. Nothing unless both ratios leave out 1. Nothing either if the change
         * makes the ratio larger or turns it, because then it is no part.
         */
        public Estimate share() {
            double share = 1 - Math.log(repaired.value()) / Math.log(published.value());
            return published.leavesOutOne() && repaired.leavesOutOne() && share >= 0 && share <= 1
                    ? Estimate.of(share, published.caveats()).with(repaired.caveats())
                    : Estimate.NONE;
        }

        /** The verdict in words. That the variants have the published settings is what they are there for. */
        public String text() {
            return verdict.text() + (caveats().isEmpty() ? "" : ", with a caveat");
        }

        /** What is to be said of the figure from which the verdict comes. */
        public List<Caveat> caveats() {
            return published.caveats().stream()
                    .filter(caveat -> !caveat.text().equals(Caveat.PUBLISHED_SETTINGS))
                    .toList();
        }
    }

    /** @param results of the claim's run; null if there is none */
    public static ClaimResult of(Claim claim, @Nullable Results results) {
        if (claim.trial().isEmpty()) {
            return notShown(claim, "It waits for " + claim.text("needs") + ".");
        }
        if (results == null) {
            return notShown(claim, "No run of it came to its end.");
        }
        Claim.Trial trial = claim.trial().get();
        List<CaseResult> cases = trial.cases().stream()
                .map(of -> {
                    Estimate published = ratio(results, trial.measure(), of, trial.published());
                    Estimate repaired = ratio(results, trial.measure(), of, trial.repaired());
                    Verdict verdict = claim.text("not-comparable").isEmpty()
                            ? Verdict.of(of.ratio(), published)
                            : Verdict.NOT_COMPARABLE;
                    return new CaseResult(of, published, repaired, verdict);
                })
                .toList();
        boolean measured = cases.stream()
                .flatMap(each -> Stream.of(each.published, each.repaired))
                .allMatch(figure -> Double.isFinite(figure.value()));
        return measured
                ? new ClaimResult(claim, cases, "")
                : notShown(claim, "A variant that it needs was not measured, or its figures are not valid.");
    }

    private static ClaimResult notShown(Claim claim, String why) {
        return new ClaimResult(claim, List.of(), why);
    }

    private static Estimate ratio(Results results, Claim.Measure measure, Claim.Case of, Claim.Pair pair) {
        Estimator estimator = Estimator.COMMITTED;
        Optional<Cell> first = results.cell(pair.better(), of.workload(), null).filter(Cell::valid);
        Optional<Cell> second = results.cell(pair.worse(), of.against(), null).filter(Cell::valid);
        if (measure == Claim.Measure.IDLE || measure == Claim.Measure.INSTALLED) {
            return quotient(footprint(results, measure, pair.worse()), footprint(results, measure, pair.better()))
                    .with(results.caveats());
        }
        if (first.isEmpty() || second.isEmpty()) {
            return Estimate.NONE;
        }
        Cell better = first.get();
        Cell worse = second.get();
        Sums throughput = Sums.throughput(better);
        Estimate ratio = switch (measure) {
            case THROUGHPUT ->
                estimator
                        .ratio(throughput, Sums.throughput(worse))
                        .times((double) of.workload().calls() / of.against().calls());
            case CPU -> estimator.ratio(Sums.cpu(worse), Sums.cpu(better));
            case BROKER -> estimator.ratio(Sums.cpu(worse, Role.BROKER), Sums.cpu(better, Role.BROKER));
            case P50 ->
                quotient(worse.requestLatency().p50(), better.requestLatency().p50());
            case ONE_WAY -> quotient(oneWay(worse), oneWay(better));
            case MEMORY ->
                Estimator.ofStarts(throughput.starts().stream()
                        .mapToDouble(start -> brokerBytes(worse, start) / brokerBytes(better, start)));
            case WRITTEN -> quotient(worse.writtenPerCall(), better.writtenPerCall());
            case SECOND_RUN ->
                quotient(throughput.ofStart(2).value(), throughput.ofStart(1).value());
            case SPREAD ->
                Estimator.ofStarts(
                        throughput.starts().stream().mapToDouble(start -> spread(throughput.ofStart(start))));
            case IDLE, INSTALLED -> Estimate.NONE;
        };
        return ratio.with(better.caveats()).with(worse.caveats()).with(results.caveats());
    }

    private static double brokerBytes(Cell cell, int start) {
        return cell.counted().stream()
                .filter(slice -> slice.start() == start)
                .flatMap(slice -> Stream.ofNullable(slice.memory().get(Role.BROKER)))
                .mapToDouble(Long::doubleValue)
                .max()
                // Files of older versions have only the most of all starts, which is that of a single one.
                .orElse(start == 1 ? cell.memory().getOrDefault(Role.BROKER, 0L) : Double.NaN);
    }

    /** The 95th percentile of the time of a request over the slices of a start ÷ its mean. */
    private static double spread(Sums throughput) {
        double[] seconds = throughput.blocks().stream()
                .mapToDouble(block -> block.below() / block.above())
                .toArray();
        return Quantile.of(0.95, DoubleStream.of(seconds))
                / DoubleStream.of(seconds).average().orElse(Double.NaN);
    }

    private static @Nullable Double oneWay(Cell cell) {
        QueueFigures figures = cell.queue();
        return figures == null ? null : figures.oneWay().p50();
    }

    private static @Nullable Long footprint(Results results, Claim.Measure measure, String variant) {
        Environment environment = results.environment();
        String bytes = measure == Claim.Measure.IDLE ? "idleBytes" : "installedBytes";
        String broker = environment.variants().path(variant).path("broker").asString("");
        return environment
                .text("/brokers/%s/%s".formatted(broker, bytes))
                .map(Long::valueOf)
                .orElse(null);
    }

    /** Of two figures without intervals, whose caveats the caller knows. */
    private static Estimate quotient(@Nullable Number above, @Nullable Number below) {
        return above == null || below == null
                ? Estimate.NONE
                : Estimate.of(above.doubleValue() / below.doubleValue(), List.of());
    }
}
