package dev.chatterbox.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.resilience.FaultCase.Trait;
import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.resilience.load.User;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.QueueFigures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CriteriaTests {

    private static final RequestCounts ALL_RIGHT = new RequestCounts(1000, 0, Map.of(), Map.of(), 0.1, 0);
    private static final List<NodeCase> NODES = NodeCase.all(Duration.ofSeconds(60));
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
                .containsExactly("2 errors of the other variant");
    }

    @Test
    void judgesAVariantWhoseNodesAreAwayByTheWayInWhichTheyWere() {
        RequestCounts refused = errors(Map.of("503", 10L), 5.1);
        List<Phase> late = phases(refused, 10.1);
        List<Phase> never = phases(refused, null);

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
        assertThat(NODES).hasSize(7);
    }

    private static NodeCase nodeCase(String name) {
        return NODES.stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Phase> phases(RequestCounts away, @Nullable Double rightAgain) {
        return List.of(
                new Phase("before", ALL_RIGHT, 0.1, 0.0, 0.0),
                new Phase("away", away, 0.1, 1.0, rightAgain),
                new Phase("back", ALL_RIGHT, 0.1, 0.0, 0.0));
    }

    @Test
    void letsConnectionsEndWhereTheAggregatorIsAway() {
        RequestCounts answers = errors(Map.of(User.ENDED, 1L, User.REFUSED, 1L), 1);

        assertThat(missed(answers, answers, 0.0, true)).isEmpty();
        assertThat(missed(answers, ALL_RIGHT, 0.0, false)).hasSize(2);
    }

    @Test
    void missesWhatIsHeld() {
        assertThat(Criteria.grown(BEFORE, BEFORE)).isEmpty();
        assertThat(Criteria.grown(BEFORE, footprint(50, 60, 70, -1)))
                .containsExactly("an unknown number of calls are in flight still");
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
    void losesMessagesOnlyWhereItMay() {
        QueueFigures counts = counts(7, true);

        assertThat(Criteria.missed(counts, false)).containsExactly("7 acknowledged messages are lost");
        assertThat(Criteria.missed(counts, true)).isEmpty();
        assertThat(Criteria.missed(counts(0, false), true))
                .containsExactly("the sum of the squares is not that of the consumed numbers");
    }

    private static RequestCounts errors(Map<String, Long> errors, double longest) {
        return new RequestCounts(1000, 0, errors, Map.of(), 0.1, longest);
    }

    private static List<String> missed(
            RequestCounts answers, RequestCounts others, @Nullable Double recovery, boolean aggregatorAway) {
        return Criteria.missed(
                answers,
                others,
                recovery,
                6,
                aggregatorAway ? Set.of(Trait.AGGREGATOR_AWAY, Trait.EVERY_VARIANT) : Set.of());
    }

    static QueueFigures counts(long lost, boolean rightSum) {
        return new QueueFigures(
                1,
                Map.of(rightSum ? QueueFigures.COMPLETE : QueueFigures.WRONG_SUM, 1L),
                500_000,
                400_000,
                5,
                3,
                398_765,
                398_765,
                1_235,
                lost,
                0,
                17L,
                0.0,
                40_000,
                32_000,
                Latency.NONE,
                Latency.NONE);
    }

    private static Footprint footprint(long megabytes, long threads, long files, long inFlight) {
        return new Footprint(
                Map.of("aggregator-service", new Footprint.OfProcess(megabytes * 1_000_000, threads, files)), inFlight);
    }
}
