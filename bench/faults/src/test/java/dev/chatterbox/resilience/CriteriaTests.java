package dev.chatterbox.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.resilience.load.VerifiedLoad;
import dev.chatterbox.results.Environment;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CriteriaTests {

    private static final RequestCounts ALL_RIGHT = new RequestCounts(1000, 0, Map.of(), Map.of(), 0.1, 0);
    private static final Footprint BEFORE = footprint(50, 60, 70, 0);

    @Test
    void missesNothingWhereErrorsAreClearAndInTime() {
        RequestCounts answers = errors(Map.of("503", 10L, "504", 16L), 5.1);

        assertThat(missed(answers, ALL_RIGHT, 0.5, false)).isEmpty();
    }

    @Test
    void missesEachCriterion() {
        assertThat(missed(new RequestCounts(1000, 1, Map.of(), Map.of(), 0.1, 0.1), ALL_RIGHT, 0.0, false))
                .containsExactly("1 wrong answers");
        assertThat(missed(errors(Map.of("504", 1L), 6.1), ALL_RIGHT, 0.0, false))
                .containsExactly("an error after 6.1 s");
        assertThat(missed(errors(Map.of("500", 1L), 1), ALL_RIGHT, 0.0, false))
                .containsExactly("errors that do not say why: 500");
        assertThat(missed(ALL_RIGHT, ALL_RIGHT, 10.1, false)).containsExactly("recovered only after 10.1 s");
        assertThat(missed(ALL_RIGHT, ALL_RIGHT, null, false)).containsExactly("not recovered");
        assertThat(missed(ALL_RIGHT, errors(Map.of("503", 2L), 1), 0.0, false))
                .containsExactly("2 errors of the row beside it");
    }

    @Test
    void judgesARowWhoseNodesAreAwayByTheWayInWhichTheyWere() {
        RequestCounts refused = errors(Map.of("503", 10L), 5.1);
        List<CaseResult.Phase> late = phases(refused, 10.1);
        List<CaseResult.Phase> never = phases(refused, null);

        assertThat(Criteria.missed(nodeCase("leading-node-killed"), phases(refused, 9.9), 6))
                .isEmpty();
        assertThat(Criteria.missed(nodeCase("leading-node-killed"), late, 6))
                .containsExactly("away: recovered only after 10.1 s");
        assertThat(Criteria.missed(nodeCase("other-node-terminated"), never, 6)).containsExactly("away: not recovered");
        assertThat(Criteria.missed(nodeCase("leading-node-frozen"), never, 6)).isEmpty();
        assertThat(Criteria.missed(nodeCase("two-nodes-killed"), never, 6)).isEmpty();
        assertThat(Criteria.missed(
                        nodeCase("two-nodes-killed"),
                        phases(new RequestCounts(1, 1, Map.of("500", 1L), Map.of(), 1, 1), null),
                        6))
                .containsExactly("away: 1 wrong answers", "away: errors that do not say why: 500");
        assertThat(NodeCase.ALL).hasSize(7);
    }

    private static NodeCase nodeCase(String name) {
        return NodeCase.ALL.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<CaseResult.Phase> phases(RequestCounts away, @Nullable Double rightAgain) {
        return List.of(
                new CaseResult.Phase("before", ALL_RIGHT, 0.1, 0.0, 0.0),
                new CaseResult.Phase("away", away, 0.1, 1.0, rightAgain),
                new CaseResult.Phase("back", ALL_RIGHT, 0.1, 0.0, 0.0));
    }

    @Test
    void letsConnectionsEndWhereTheAggregatorIsAway() {
        RequestCounts answers = errors(Map.of(VerifiedLoad.ENDED, 1L, VerifiedLoad.REFUSED, 1L), 1);

        assertThat(missed(answers, answers, 0.0, true)).isEmpty();
        assertThat(missed(answers, ALL_RIGHT, 0.0, false)).hasSize(2);
    }

    @Test
    void missesWhatIsHeld() {
        assertThat(Criteria.grown(BEFORE, BEFORE)).isEmpty();
        assertThat(Criteria.grown(BEFORE, footprint(80, 80, 100, 3)))
                .containsExactly(
                        "aggregator-service holds 30 MB more",
                        "aggregator-service has 20 threads more",
                        "aggregator-service has 30 connections and files more",
                        "3 calls are in flight still");
    }

    @Test
    void missesAFigureThatIsKnownOnlyOnce() {
        Footprint unknown = footprint(-1, -1, -1, 0);

        assertThat(Criteria.grown(unknown, unknown)).isEmpty();
        assertThat(Criteria.grown(unknown, BEFORE))
                .isEqualTo(Criteria.grown(BEFORE, unknown))
                .containsExactly(
                        "aggregator-service holds an unknown number of MB more",
                        "aggregator-service has an unknown number of threads more",
                        "aggregator-service has an unknown number of connections and files more");
    }

    @Test
    void writesATableForEachRow() {
        CaseResult link = new CaseResult(
                "nats",
                "link-cut",
                20,
                List.of(new CaseResult.Phase("whole", errors(Map.of("503", 1200L), 0.25), 0.09, 0.1, 0.5)),
                ALL_RIGHT,
                new CaseResult.Held(BEFORE, BEFORE),
                List.of(),
                List.of());
        CaseResult node = new CaseResult(
                "kafka-cluster",
                "leading-node-killed",
                180,
                phases(errors(Map.of("503", 7L), 5), 4.2),
                null,
                null,
                List.of("kafka-2; 55 requests/s; before: kafka-2 is the active controller"),
                List.of());

        assertThat(ResilienceTables.markdown(new ResilienceResults(
                        "./chatterbox resilience",
                        LocalDateTime.of(2026, 11, 22, 20, 0),
                        Environment.NONE,
                        List.of(link, node, CaseResult.failed("nats", "broker-killed", "a reason")),
                        List.of(
                                queue("nats", 400_000, 398_765L, 1_235L, 0L, List.of()),
                                queue("kafka", 300_000, null, null, null, List.of("a sentence"))))))
                .contains(
                        "| nats | queue-link-cut | 500,000 | 400,000 | 5 | 3 | 398,765 | 1,235 | 1,235 | 0 | 12.3 | ✓ |")
                .contains(
                        "| kafka | queue-link-cut | 500,000 | 300,000 | 5 | 3 | ? | ? | ? | ? | 12.3 | ✗ a sentence |")
                .contains("### kafka-cluster\n")
                .contains("| leading-node-killed | before | 1,000 | 0 | none |")
                .contains("| ✓ kafka-2; 55 requests/s; before: kafka-2 is the active controller |")
                .contains("|  | away | 1,000 | 0 | 503 × 7 | 5.00 s | 0.10 s | 0.10 s | 1.00 s | 4.20 s |")
                .startsWith("`./chatterbox resilience`, 2026-11-22 20:00: ")
                .contains("### nats\n")
                .contains(
                        "| link-cut | 1,000 | 0 | 503 × 1,200 | 0.25 s | 0.10 s | 0.09 s | 0.10 s | 0.50 s | 50 → 50 | 60 → 60"
                                + " | 70 → 70 | no errors | ✓ |")
                .contains("broker-killed: a reason");
        assertThat(ResilienceTables.line(link)).startsWith("✓ nats").contains("recovered after 0.50 s");
    }

    private static QueueCaseResult queue(
            String row,
            long acknowledged,
            @Nullable Long consumed,
            @Nullable Long lost,
            @Nullable Long doubled,
            List<String> missed) {
        return new QueueCaseResult(
                row,
                "queue-link-cut",
                "what",
                1,
                500_000,
                12.34,
                new QueueCounts("complete", 500_000, acknowledged, 5, 3, null, consumed, lost, lost, doubled),
                missed);
    }

    private static RequestCounts errors(Map<String, Long> errors, double longest) {
        return new RequestCounts(1000, 0, errors, Map.of(), 0.1, longest);
    }

    private static List<String> missed(
            RequestCounts answers, RequestCounts others, @Nullable Double recovery, boolean aggregatorAway) {
        return Criteria.missed(answers, Optional.of(others), recovery, 6, aggregatorAway, aggregatorAway);
    }

    private static Footprint footprint(long megabytes, long threads, long files, long inFlight) {
        return new Footprint(
                Map.of("aggregator-service", new Footprint.OfProcess(megabytes << 20, threads, files)), inFlight);
    }
}
