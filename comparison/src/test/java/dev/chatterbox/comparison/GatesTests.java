package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.workloads.Workload;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class GatesTests {

    private static final String GOOD = """
            {"requests":1000,"totalRequests":1500,"totalFailed":0,"totalFailures":{},"rate":63,
             "warmUp":{"stable":true}}""";

    private static final CellPlan CLOSED = CellPlan.of("a", Workload.parse("calls=10 users=100"));

    @Test
    void findNothingWrongWithAGoodRound() {
        assertThat(Gates.reasons(figures(GOOD), counted(15_000, Map.of()))).isEmpty();
        assertThat(Gates.faults(responder(Map.of()), responder(Map.of()))).isEmpty();
        assertThat(Gates.counts(15_000, 0, counted(15_000, Map.of()))).isEmpty();
        assertThat(Gates.warnings(CLOSED, figures(GOOD), 0.02)).isEmpty();
    }

    @Test
    void findNothingWrongWhereThereIsNoResponder() {
        Reading alone = new Reading(counted(15_000, Map.of()).aggregator(), null);

        assertThat(Gates.counts(15_000, 0, alone)).isEmpty();
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
        assertThat(Gates.counts(15_000, 0, null)).containsExactly("the services' own counts could not be read");
    }

    @Test
    void catchCallsThatDidNotEndWell() {
        assertThat(Gates.counts(15_000, 1, counted(15_000, Map.of("timeout", 1.0, "wrong", 2.0))))
                .contains("1 call: timeout", "2 calls: wrong");
    }

    @Test
    void catchEveryCallThatIsMissingSomewhere() {
        assertThat(Gates.counts(15_001, 0, counted(15_000, Map.of())))
                .containsExactly("15000 calls by the aggregator's count, 15001 by the generator's");
        AggregatorReading good = counted(15_000, Map.of()).aggregator();
        Reading lost = new Reading(
                new AggregatorReading("a", 5, good.outcomes(), good.latency(), 0, 2, null),
                new ResponderReading("r", 14_999, Map.of(), null));
        assertThat(Gates.counts(15_000, 0, lost))
                .containsExactly(
                        "2 replies came late, twice or for no call",
                        "14999 requests reached the responder, but the aggregator counted 15000 calls");
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
        assertThat(Gates.warnings(CLOSED, figures(GOOD.replace("1000", "90").replace("true", "false")), null))
                .containsExactly("few requests ended in the window, so their latencies are rough");
    }

    @Test
    void warnOfPercentilesOfAFewRequests() {
        CellPlan alone = CellPlan.of("a", Workload.parse("calls=10 users=1"));

        assertThat(Gates.warnings(alone, figures(GOOD.replace("1000", "199")), null))
                .hasSize(1);
        assertThat(Gates.warnings(alone, figures(GOOD.replace("1000", "200")), null))
                .isEmpty();
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
                new AggregatorReading("a", 5, outcomes, new Histogram(new TreeMap<>()), 0, 0, null),
                new ResponderReading("r", calls, Map.of(), null));
    }
}
