package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class GatesTests {

    private static final String GOOD = """
            {"requests":1000,"totalRequests":1500,"totalFailed":0,"totalFailures":{},"rate":63,
             "warmUp":{"stable":true}}""";

    private static final Cell CLOSED = Cell.closed("a", 10, 100);

    @Test
    void findNothingWrongWithAGoodRound() {
        assertThat(Gates.reasons(json(GOOD), counted(15_000, Map.of()), null)).isEmpty();
        assertThat(Gates.counts(15_000, 0, counted(15_000, Map.of()))).isEmpty();
        assertThat(Gates.warnings(CLOSED, json(GOOD), 0.02)).isEmpty();
    }

    @Test
    void catchFailedRequests() {
        JsonNode cell = json(GOOD.replace("\"totalFailed\":0", "\"totalFailed\":3")
                .replace("\"totalFailures\":{}", "\"totalFailures\":{\"http-502\":2,\"wrong\":1}"));

        assertThat(Gates.reasons(cell, counted(15_000, Map.of()), null))
                .isEqualTo(Gates.failed(cell))
                .containsExactly("3 requests failed (http-502: 2, wrong: 1)");
        assertThat(Gates.failed(json(GOOD))).isEmpty();
    }

    @Test
    void catchAResponderThatFailsOnDemand() {
        assertThat(Gates.reasons(json(GOOD), counted(15_000, Map.of()), "delay PT0.02S"))
                .containsExactly("the responder fails on demand: delay PT0.02S");
    }

    @Test
    void catchAWindowWithoutCalls() {
        assertThat(Gates.reasons(json(GOOD), counted(0, Map.of()), null))
                .containsExactly("no call ended well in the window");
        assertThat(Gates.reasons(json(GOOD), null, null))
                .containsExactly("the services' own figures could not be read");
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
        Reading good = counted(15_000, Map.of());
        Reading lost = new Reading(5, good.outcomes(), good.latency(), 0, 2, 14_999, null, null);
        assertThat(Gates.counts(15_000, 0, lost))
                .containsExactly(
                        "2 replies came late, twice or for no call",
                        "14999 requests reached the responder, but the aggregator counted 15000 calls");
    }

    @Test
    void warnOfWhatMakesARoundLessTrustworthy() {
        assertThat(Gates.warnings(CLOSED, json(GOOD.replace("true", "false")), 0.4))
                .containsExactly(
                        "the throughput was not yet stable when the warm-up's time was up",
                        "other programs took 40% of the processors");
        assertThat(Gates.warnings(Cell.open("a", 10, 65, 0.7), json(GOOD), null))
                .containsExactly("63.0 requests per second were started, 65.0 were meant to be");
        assertThat(Gates.warnings(CLOSED, json(GOOD.replace("1000", "90").replace("true", "false")), null))
                .containsExactly("few requests ended in the window (90), so their latencies are rough");
    }

    @Test
    void warnOfPercentilesOfAFewRequests() {
        Cell alone = Cell.closed("a", 10, 1);

        assertThat(Gates.warnings(alone, json(GOOD.replace("1000", "199")), null))
                .hasSize(1);
        assertThat(Gates.warnings(alone, json(GOOD.replace("1000", "200")), null))
                .isEmpty();
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    private static Reading counted(double ok, Map<String, Double> others) {
        Map<String, Double> outcomes = new TreeMap<>(others);
        outcomes.put("ok", ok);
        double calls =
                outcomes.values().stream().mapToDouble(Double::doubleValue).sum();
        return new Reading(5, outcomes, new Histogram(new TreeMap<>()), 0, 0, calls, null, null);
    }
}
