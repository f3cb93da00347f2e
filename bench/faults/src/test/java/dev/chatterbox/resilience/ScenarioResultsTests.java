package dev.chatterbox.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.resilience.load.RequestCounts;
import dev.chatterbox.results.Environment;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ScenarioResultsTests {

    private static final RequestCounts ALL_RIGHT = new RequestCounts(1000, 0, Map.of(), Map.of(), 0.1, 0);

    private static final CaseResult LINK = requests("nats", "link-cut", List.of(phase("", 1200, 0.5)), List.of());
    private static final CaseResult NODE = requests(
            "kafka-cluster",
            "leading-node-killed",
            List.of(new Phase("before", ALL_RIGHT, 0.1, 0.0, 0.0), phase("away", 7, 4.2)),
            List.of("kafka-2; 55 requests/s"));
    private static final CaseResult QUEUE = new CaseResult(
            "nats",
            "queue-link-cut",
            20,
            Map.of(MessageRun.TABLE, List.of(MessageRun.figures(500_000, false, CriteriaTests.counts(1_235, true)))),
            List.of(),
            List.of("a sentence"));
    private static final CaseResult FAILED = CaseResult.failed("nats", "broker-killed", "a reason");

    private final ScenarioResults results = new ScenarioResults(
            "./chatterbox resilience",
            LocalDateTime.of(2026, 11, 22, 20, 0),
            Environment.NONE,
            List.of(LINK, NODE, FAILED, QUEUE));

    private static CaseResult requests(String variant, String name, List<Phase> phases, List<String> remarks) {
        List<Figures> lines = phases.stream().map(Phase::figures).toList();
        return new CaseResult(variant, name, 20, Map.of(Phase.TABLE, lines), remarks, List.of());
    }

    private static Phase phase(String name, long errors, double rightAgain) {
        return new Phase(
                name,
                new RequestCounts(1000, 0, Map.of("503", errors), Map.of("503: no broker", errors), 0.1, 0.25),
                0.09,
                0.1,
                rightAgain);
    }

    @Test
    void writesATableOfEachKind() {
        assertThat(results.markdown())
                .startsWith("`./chatterbox resilience`, 2026-11-22 20:00: ")
                .contains("4 cases, 2 of which missed a criterion.")
                .contains("### Requests\n", "### Messages\n")
                .contains("| variant | case | phase | right | wrong | errors | recovered after |")
                .contains("| kafka-cluster | leading-node-killed | before | 1,000 | 0 | none | 0.00 s |  | 0.10 s |")
                .contains("| 0.00 s | ✓ kafka-2; 55 requests/s |")
                .contains(
                        "| kafka-cluster |  | away | 1,000 | 0 | 503 × 7 | 4.20 s | 0.25 s | 0.10 s | 0.09 s | 0.10 s |")
                .contains("| nats | link-cut |  | 1,000 | 0 | 503 × 1,200 | 0.50 s | 0.25 s |")
                .contains("| nats | queue-link-cut | 500,000 | 400,000 | 3 | 1,235 | 1,235 | 0 | complete | 5 |"
                        + " 398,765 | 12.5 | ✗ a sentence |")
                .contains("nats, broker-killed: ✗ a reason");
    }

    @Test
    void programsReadNumbersAndWhatNoTableShows() {
        JsonNode measured = JsonMapper.shared()
                .readTree(JsonMapper.shared().writeValueAsString(results))
                .path("measured");

        JsonNode away = measured.path(1).path("tables").path(Phase.TABLE).path(1);
        assertThat(away.path("errors").path("503").asLong()).isEqualTo(7);
        assertThat(away.path("recovered after").asDouble()).isEqualTo(4.2);
        assertThat(away.path("reasons").path("503: no broker").asLong()).isEqualTo(7);
        assertThat(measured.path(3)
                        .path("tables")
                        .path(MessageRun.TABLE)
                        .path(0)
                        .path("out of order")
                        .asLong())
                .isEqualTo(17);
    }

    @Test
    void saysInALineHowACaseEnded() {
        assertThat(LINK.line())
                .startsWith("✓ nats    link-cut ")
                .contains("right 1,000, wrong 0, errors 503 × 1,200, recovered after 0.50 s");
        assertThat(FAILED.line()).startsWith("✗ nats").endsWith("; MISSED: a reason");
        assertThat(results.allMet()).isFalse();
    }
}
