package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.Round;
import dev.chatterbox.workloads.Workload;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class GatesTests {

    private static final String GOOD = """
            {"seconds":16,"requests":1000,"totalRequests":1500,"totalFailed":0,"totalFailures":{},"rate":63,
             "warmUp":{"stable":true}}""";

    private static final Workload TEN_CALLS = Workload.parse("calls=10 users=100");
    private static final CellPlan CLOSED = CellPlan.of("a", TEN_CALLS);

    @Test
    void findNothingWrongWithAGoodRound() {
        assertThat(Gates.reasons(figures(GOOD), counted(15_000, Map.of()))).isEmpty();
        assertThat(Gates.faults(responder(Map.of()), responder(Map.of()))).isEmpty();
        assertThat(Gates.counts(TEN_CALLS, 1500, 0, counted(15_000, Map.of()))).isEmpty();
        assertThat(Gates.warnings(CLOSED, figures(GOOD), 0.02)).isEmpty();
    }

    @Test
    void findNothingWrongWhereThereIsNoResponder() {
        Reading alone = new Reading(counted(15_000, Map.of()).aggregator(), null);

        assertThat(Gates.counts(TEN_CALLS, 1500, 0, alone)).isEmpty();
        assertThat(Gates.faults(null, null)).isEmpty();
    }

    @Test
    void catchFailedRequests() {
        GeneratorFigures failed = figures(GOOD.replace("\"totalFailed\":0", "\"totalFailed\":3")
                .replace("\"totalFailures\":{}", "\"totalFailures\":{\"http-502\":2,\"wrong\":1}"));

        assertThat(Gates.reasons(failed, counted(15_000, Map.of())))
                .isEqualTo(Gates.failed(failed))
                .containsExactly("3 requests failed (http-502: 2, wrong: 1)");
        assertThat(Gates.failed(figures(GOOD))).isEmpty();
    }

    @Test
    void catchAResponderThatFailsOnDemandAtEitherEdge() {
        ResponderReading slow = responder(Map.of("delay", 0.02));

        assertThat(Gates.faults(slow, responder(Map.of())))
                .containsExactly("the responder fails on demand: delay 0.02 s at the window's begin");
        assertThat(Gates.faults(null, slow))
                .containsExactly("the responder fails on demand: delay 0.02 s at the window's end");
        assertThat(Gates.faults(slow, slow))
                .containsExactly("the responder fails on demand: delay 0.02 s at the window's begin and end");
        assertThat(Gates.faults(slow, responder(Map.of("wrong", 0.5))))
                .containsExactly(
                        "the responder fails on demand: delay 0.02 s at the window's begin",
                        "the responder fails on demand: wrong 0.5 at the window's end");
    }

    @Test
    void catchAWindowWithoutCalls() {
        assertThat(Gates.reasons(figures(GOOD), counted(0, Map.of())))
                .containsExactly("no call ended well in the window");
        assertThat(Gates.reasons(figures(GOOD), null)).containsExactly("the services' own figures could not be read");
        assertThat(Gates.counts(TEN_CALLS, 1500, 0, null))
                .containsExactly("the services' own counts could not be read");
    }

    @Test
    void catchCallsThatDidNotEndWell() {
        assertThat(Gates.counts(TEN_CALLS, 1500, 1, counted(15_000, Map.of("timeout", 1.0, "wrong", 2.0))))
                .contains("1 call: timeout", "2 calls: wrong");
    }

    @Test
    void catchEveryCallThatIsMissingSomewhere() {
        assertThat(Gates.counts(TEN_CALLS, 1500, 0, counted(14_999, Map.of())))
                .containsExactly(
                        "14999 calls by the aggregator's count, 15000 by the generator's",
                        "14999 messages by the aggregator's count, but so many calls take 15000");
        AggregatorReading good = counted(15_000, Map.of()).aggregator();
        Reading lost = new Reading(
                new AggregatorReading("a", 5, good.outcomes(), good.messages(), null, 2, null),
                new ResponderReading("r", 14_999, Map.of(), null));
        assertThat(Gates.counts(TEN_CALLS, 1500, 0, lost))
                .containsExactly(
                        "2 replies came late, twice or for no call",
                        "14999 requests reached the responder, but the aggregator counted 15000 calls");
    }

    @Test
    void countTheMessagesOfABatchBesideItsCalls() {
        Workload batches = Workload.parse("batch calls=10 size=4 users=100");
        Map<String, Double> outcomes = Map.of("ok", 15_000.0);
        ResponderReading responder = new ResponderReading("r", 15_000, Map.of(), null);

        assertThat(Gates.counts(
                        batches,
                        1500,
                        0,
                        new Reading(new AggregatorReading("a", 5, outcomes, 4500, null, 0, null), responder)))
                .isEmpty();
        assertThat(Gates.counts(
                        batches,
                        1500,
                        0,
                        new Reading(new AggregatorReading("a", 5, outcomes, 15_000, null, 0, null), responder)))
                .containsExactly("15000 messages by the aggregator's count, but so many calls take 4500");
    }

    @Test
    void warnOfWhatMakesARoundLessTrustworthy() {
        assertThat(Gates.warnings(CLOSED, figures(GOOD.replace("true", "false")), 0.4))
                .containsExactly(
                        "the throughput was not yet stable when the warm-up's time was up",
                        "other programs took more than 10% of the processors");
        CellPlan open = new CellPlan("a", Workload.parse("calls=10 rate=70%"), 65.0);
        assertThat(Gates.warnings(open, figures(GOOD), null))
                .containsExactly("fewer requests per second were started than were meant to be");
        assertThat(Gates.warnings(open, figures(GOOD.replace("63", "64")), null))
                .isEmpty();
        assertThat(Gates.warnings(open, figures(GOOD.replace("63", "64").replace("1000", "1200")), null))
                .containsExactly(
                        "more requests ended than were meant to start, so some had piled up before the window");
        assertThat(Gates.warnings(CLOSED, figures(GOOD.replace("1000", "90").replace("true", "false")), null))
                .as("a burst or two tell nothing of the warm-up")
                .isEmpty();
    }

    @Test
    void rankACellThatHasEnoughOfEverything() {
        assertThat(notRanked(10_000, 0.8, 12, List.of())).isEqualTo(Cell.NotRanked.NOTHING);
    }

    @Test
    void doNotRankTheCostsOfFewCalls() {
        assertThat(notRanked(50, 0.1, 12, List.of()))
                .isEqualTo(new Cell.NotRanked(List.of("fewer than 10,000 calls a round"), List.of()));
    }

    @Test
    void nameAGeneratorThatIsTheLimit() {
        assertThat(notRanked(20_000, 0.97, 12, List.of()).latencies())
                .containsExactly("the load generator is the limit: its busiest thread is at work for 97% of the time");
        assertThat(notRanked(20_000, 0.1, 31, List.of()))
                .satisfies(reasons -> assertThat(reasons.costs())
                        .isEqualTo(reasons.latencies())
                        .containsExactly("the load generator is the limit: it uses more CPU than the system"));
    }

    @Test
    void nameANetworkThatIsTheLimit() {
        // 50,000 calls a second.
        assertThat(Gates.notRanked(List.of(), overNetwork(15), List.of())).isEqualTo(Cell.NotRanked.NOTHING);
        assertThat(Gates.notRanked(List.of(), overNetwork(17), List.of()))
                .satisfies(reasons -> assertThat(reasons.costs())
                        .isEqualTo(reasons.latencies())
                        .containsExactly("the network is the limit: it uses more than 80% of a processor"));
    }

    private static Figures overNetwork(double cpu) {
        return new Figures(
                500.0,
                50_000.0,
                Latency.NONE,
                Latency.NONE,
                Map.of(Role.AGGREGATOR, 10.0, Role.NETWORK, cpu),
                10.0,
                Map.of(),
                Map.of());
    }

    @Test
    void rankNothingThatSpreadsTooWide() {
        assertThat(notRanked(20_000, 0.1, 12, List.of(), 20, 30, 36).costs())
                .containsExactly("the rounds' CPU per call lies more than 50% apart");
        assertThat(notRanked(20_000, 0.1, 12, List.of(), 19, 20, 30, 36, 37).costs())
                .containsExactly("the rounds' CPU per call lies more than 50% apart");
    }

    @Test
    void rankWhereOneRoundOfFiveIsFarFromTheOthers() {
        assertThat(notRanked(20_000, 0.1, 12, List.of(), 28, 29, 30, 31, 90)).isEqualTo(Cell.NotRanked.NOTHING);
    }

    @Test
    void rankNothingBeforeItIsWarm() {
        assertThat(notRanked(20_000, 0.1, 12, List.of("not warm")))
                .isEqualTo(new Cell.NotRanked(List.of("not warm"), List.of("not warm")));
    }

    /** Of a system that uses 30 CPU-µs per call, unless rounds say otherwise. */
    private static Cell.NotRanked notRanked(
            long calls, double generatorBusy, double generatorCpu, List<String> doubts, double... cpuOfRounds) {
        List<Round> rounds = DoubleStream.of(cpuOfRounds.length > 0 ? cpuOfRounds : new double[] {30})
                .mapToObj(cpu -> Round.of(
                        1,
                        List.of(),
                        List.of(),
                        new Round.Window(
                                1,
                                1,
                                0,
                                Map.of(),
                                calls,
                                Map.of(),
                                0,
                                new Round.WarmUp(1, true),
                                null,
                                generatorBusy,
                                0.0),
                        figures(generatorCpu, cpu)))
                .toList();
        return Gates.notRanked(rounds, figures(generatorCpu, 30), doubts);
    }

    private static Figures figures(double generatorCpu, double systemCpu) {
        return new Figures(
                1.0,
                1.0,
                Latency.NONE,
                Latency.NONE,
                Map.of(Role.GENERATOR, generatorCpu),
                systemCpu,
                Map.of(),
                Map.of());
    }

    private static GeneratorFigures figures(String text) {
        return GeneratorFigures.of(JsonMapper.shared().readTree(text));
    }

    private static ResponderReading responder(Map<String, Double> faults) {
        return new ResponderReading("r", 0, faults, null);
    }

    private static Reading counted(double ok, Map<String, Double> others) {
        Map<String, Double> outcomes = new TreeMap<>(others);
        outcomes.put("ok", ok);
        double calls =
                outcomes.values().stream().mapToDouble(Double::doubleValue).sum();
        return new Reading(
                new AggregatorReading("a", 5, outcomes, calls, null, 0, null),
                new ResponderReading("r", calls, Map.of(), null));
    }
}
