package dev.chatterbox.comparison;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.Round;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a round counts, and whether a cell is ranked. A request that failed, also in the warm-up, makes it
 * invalid, for then the system was not doing what is compared. Reasons name figures; warnings do not, so that those
 * of several rounds can be told once: their figures are fields of the round.
 */
final class Gates {

    /** The part of the rate that must be reached; less is a load that the generator could not offer. */
    private static final double RATE_REACHED = 0.98;

    /** Requests that end in the window by those that are meant to start in it: more had piled up before. */
    private static final double PILED_UP = 1.1;

    /** The part of all processors above which other programs are in the way; the kernel's own work is a few percent. */
    private static final double OTHER_LOAD = 0.10;

    /** Calls a round: fewer measure accidents. */
    private static final int FEWEST_CALLS = 10_000;

    /** {@link Statistics#middleSpread} beyond which a figure means nothing. */
    private static final double WIDEST = 0.5;

    /** The same for the 99th percentile, which a few requests of a round decide. */
    private static final double WIDEST_P99 = 1.5;

    /**
     * The part of a window that a thread of the generator spends on a processor; one above it keeps its users
     * waiting.
     */
    private static final double GENERATOR_BUSY = 0.8;

    /** CPU-seconds per second that the network may use: a processor that it keeps busy is one that calls wait for. */
    private static final double NETWORK_BUSY = 0.8;

    private Gates() {}

    /** @param window what was counted in the measured window; null if the services could not be asked */
    static List<String> reasons(GeneratorFigures figures, @Nullable Reading window) {
        List<String> reasons = new ArrayList<>(failed(figures));
        if (window == null) {
            reasons.add("the services' own figures could not be read");
        } else if (window.aggregator().callsOf(AggregatorReading.OK) <= 0) {
            reasons.add("no call ended well in the window");
        }
        return reasons;
    }

    /**
     * A responder that fails on demand makes the round invalid.
     *
     * @param begin what it told where the window began; null if it was not asked or did not answer
     * @param end likewise where the window ended
     */
    static List<String> faults(@Nullable ResponderReading begin, @Nullable ResponderReading end) {
        String first = begin == null ? "" : begin.faultText();
        String last = end == null ? "" : end.faultText();
        if (first.equals(last)) {
            return fault(first, "begin and end");
        }
        List<String> reasons = new ArrayList<>(fault(first, "begin"));
        reasons.addAll(fault(last, "end"));
        return reasons;
    }

    private static List<String> fault(String text, String edge) {
        return text.isEmpty()
                ? List.of()
                : List.of("the responder fails on demand: %s at the window's %s".formatted(text, edge));
    }

    static List<String> failed(GeneratorFigures figures) {
        long failed = figures.totalFailed();
        return failed == 0
                ? List.of()
                : List.of("%d %s failed (%s)"
                        .formatted(failed, failed == 1 ? "request" : "requests", words(figures.totalFailures())));
    }

    /**
     * Compares the counts of one cell.
     *
     * @param workload of the cell
     * @param requests that the generator found right, warm-up and drain included
     * @param failed requests: how many calls were made for those is unknown, so they have no count to agree with
     * @param counted over the same time; null if the services could not be asked
     */
    static List<String> counts(Workload workload, long requests, long failed, @Nullable Reading counted) {
        if (counted == null) {
            return List.of("the services' own counts could not be read");
        }
        AggregatorReading aggregator = counted.aggregator();
        List<String> reasons = new ArrayList<>();
        aggregator.outcomes().forEach((outcome, count) -> {
            if (count > 0 && !outcome.equals(AggregatorReading.OK)) {
                reasons.add("%s: %s".formatted(calls(count), outcome));
            }
        });
        if (aggregator.unmatched() > 0) {
            reasons.add("%.0f replies came late, twice or for no call".formatted(aggregator.unmatched()));
        }
        long calls = requests * workload.calls();
        long messages = requests * workload.messages();
        if (failed == 0 && aggregator.calls() != calls) {
            reasons.add(
                    "%.0f calls by the aggregator's count, %d by the generator's".formatted(aggregator.calls(), calls));
        }
        if (failed == 0 && aggregator.messages() != messages) {
            reasons.add("%.0f messages by the aggregator's count, but so many calls take %d"
                    .formatted(aggregator.messages(), messages));
        }
        ResponderReading responder = counted.responder();
        if (responder != null && responder.squares() != aggregator.calls()) {
            reasons.add("%.0f requests reached the responder, but the aggregator counted %s"
                    .formatted(responder.squares(), calls(aggregator.calls())));
        }
        return reasons;
    }

    static List<String> warnings(CellPlan cell, GeneratorFigures figures, @Nullable Double otherLoad) {
        List<String> warnings = new ArrayList<>();
        double started = figures.rate() == null ? 0 : figures.rate();
        if (cell.arrivalRate() != null && started < RATE_REACHED * cell.arrivalRate()) {
            warnings.add("fewer requests per second were started than were meant to be");
        }
        if (cell.arrivalRate() != null
                && figures.requests() > Math.ceil(PILED_UP * cell.arrivalRate() * figures.seconds())) {
            warnings.add("more requests ended than were meant to start, so some had piled up before the window");
        }
        // Users that began together end together: the throughput of few requests comes in bursts, warm or not.
        int users = cell.workload().load() instanceof Load.Users closed ? closed.count() : 0;
        if (figures.requests() >= Math.max(200, 2 * users) && !figures.warmUp().stable()) {
            warnings.add("the throughput was not yet stable when the warm-up's time was up");
        }
        if (otherLoad != null && otherLoad > OTHER_LOAD) {
            warnings.add("other programs took more than 10% of the processors");
        }
        return warnings;
    }

    /**
     * Why a cell is shown and not ranked.
     *
     * @param rounds those that count
     * @param figures what they say together
     * @param doubts why the system may not have been warm, in words
     */
    static Cell.NotRanked notRanked(List<Round> rounds, Figures figures, List<String> doubts) {
        List<String> both = new ArrayList<>(doubts);
        Double busy = Statistics.median(values(rounds, round -> round.window().generatorBusy()));
        if (busy != null && busy > GENERATOR_BUSY) {
            both.add("the load generator is the limit: its busiest thread is at work for %.0f%% of the time"
                    .formatted(100 * busy));
        }
        Double generator = figures.cpu().get(Role.GENERATOR);
        Double system = figures.cpuSystem();
        if (generator != null && system != null && generator > system) {
            both.add("the load generator is the limit: it uses more CPU than the system");
        }
        Double network = figures.cpu().get(Role.NETWORK);
        Double callsPerSecond = figures.callsPerSecond();
        if (network != null && callsPerSecond != null && network * callsPerSecond / 1e6 > NETWORK_BUSY) {
            both.add("the network is the limit: it uses more than %.0f%% of a processor".formatted(100 * NETWORK_BUSY));
        }
        List<String> costs = new ArrayList<>(both);
        Double calls = Statistics.median(
                values(rounds, round -> (double) round.window().calls()));
        if (calls != null && calls < FEWEST_CALLS) {
            costs.add("fewer than 10,000 calls a round");
        }
        tooWide(costs, "CPU per call", rounds, Figures::cpuSystem, WIDEST);
        tooWide(costs, "throughput", rounds, Figures::requestsPerSecond, WIDEST);
        List<String> latencies = new ArrayList<>(both);
        tooWide(
                latencies,
                "p99 of requests",
                rounds,
                each -> each.requestLatency().p99(),
                WIDEST_P99);
        return new Cell.NotRanked(List.copyOf(costs), List.copyOf(latencies));
    }

    private static void tooWide(
            List<String> reasons,
            String what,
            List<Round> rounds,
            Function<Figures, @Nullable Double> figure,
            double widest) {
        Double spread = Statistics.middleSpread(values(rounds, round -> figure.apply(round.figures())));
        if (spread != null && spread > widest) {
            reasons.add("the rounds' %s lies more than %.0f%% apart".formatted(what, 100 * widest));
        }
    }

    private static List<@Nullable Double> values(List<Round> rounds, Function<Round, @Nullable Double> of) {
        List<@Nullable Double> values = new ArrayList<>();
        rounds.forEach(round -> values.add(of.apply(round)));
        return values;
    }

    private static String words(Map<String, Long> failures) {
        return failures.isEmpty()
                ? "no kind told"
                : String.join(
                        ", ",
                        failures.entrySet().stream()
                                .map(kind -> kind.getKey() + ": " + kind.getValue())
                                .toList());
    }

    private static String calls(double count) {
        return count == 1 ? "1 call" : "%.0f calls".formatted(count);
    }
}
