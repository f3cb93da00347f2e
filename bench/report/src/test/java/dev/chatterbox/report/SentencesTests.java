package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.workloads.Workload;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Golden sentences of schema-1.json, which is made up so that every figure can be checked by hand. */
class SentencesTests {

    private final MeasuredRun small = small();
    private final ChartSentences sentences = new ChartSentences(small);
    private final List<Workload> workloads = small.closed();

    static MeasuredRun small() {
        URL file = Objects.requireNonNull(SentencesTests.class.getResource("/report/schema-1.json"));
        try {
            return MeasuredRun.read(Path.of(file.toURI()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static MeasuredRun sample(String name) {
        return Objects.requireNonNull(Samples.all().get(name)).run();
    }

    private static List<String> answer(MeasuredRun run) {
        return new AnswerSentences(run)
                .sentences().stream().map(Sentence::toString).toList();
    }

    private static Axis.AxisLine overCalls(MeasuredRun run) {
        return Axis.CALLS.lines(run.closed()).get(0);
    }

    @Test
    void answersInThreeSentences() {
        assertThat(answer(small))
                .containsExactly(
                        "At 100 calls a request and 10 users, a call over able costs least, 14.0 µs of CPU; baker costs 2.1"
                                + " times as much (29.0 µs) and charlie 6.4 times (89.0 µs).",
                        "The order depends on the workload: at 1 call a request, charlie costs least.",
                        "able also makes the most calls, 100 k/s, 2.0 times as many as baker (50.0 k/s) and 5.0 times as many"
                                + " as charlie (20.0 k/s).");
    }

    @Test
    void describesAChartOfOneLoad() {
        List<Workload> one = workloads.subList(0, 1);

        assertThat(sentences.chart(Metric.CPU, one))
                .hasToString(
                        "A call over charlie costs least, 100 µs of CPU; able costs 1.4 times as much (140 µs) and baker"
                                + " 1.5 times (146 µs).");
        assertThat(sentences.chart(Metric.REQUEST_P99, one))
                .hasToString(
                        "charlie answers 99 % of its requests soonest, within 10.0 ms; able takes 2.0 times as long"
                                + " (20.0 ms) and baker 4.0 times (40.0 ms).");
        assertThat(sentences.chart(Metric.CALL_P99, one)).hasToString("Nothing valid was measured here.");
    }

    @Test
    void saysWhatTheSpreadDoesNotAllow() {
        assertThat(sentences.spread(Metric.CALLS, workloads.subList(0, 1)))
                .hasToString("Too close to rank: able and baker with 10 users.");
        assertThat(sentences.spread(Metric.CALLS, workloads.subList(1, 2)))
                .hasToString("The spread is small beside the differences: every order here stands.");
        assertThat(sentences.scatter(Metric.CPU).map(Sentence::toString))
                .hasValue(
                        "CPU per call: the rounds of a cell lie 2 % apart (median of all cells), at most 2 % (charlie,"
                                + " 100 calls, 10 users).");
    }

    @Test
    void findsWhereLinesCross() {
        assertThat(sentences.crossovers(Metric.CALLS, overCalls(small)))
                .hasToString(
                        "able overtakes charlie between 1 and 100 calls (near 3); baker overtakes charlie between 1 and"
                                + " 100 calls (near 4).");
    }

    @Test
    void saysWhatTheFrameworkCosts() {
        assertThat(sentences.framework().stream().map(Sentence::toString))
                .containsExactly(
                        "Over able the bare client makes 400 k calls/s, the service at best 100 k (100 calls, 10 users),"
                                + " 25 % of it; a call costs 2.8 times the CPU (14.0 µs instead of 5.00 µs).");
    }

    @Test
    void takesACrossingWithinTheNoiseForNone() {
        MeasuredRun run = SampleResults.of("twins", 2, SampleResults.NATS, SampleResults.NATS.named("twin"))
                .closed(List.of(1, 10, 100, 1000), List.of(100))
                .run();

        assertThat(new ChartSentences(run).crossovers(Metric.CALLS, overCalls(run)))
                .hasToString(
                        "Lines meet between 1 and 1,000 calls, but none crosses another by more than the noise. At 1,000"
                                + " calls, too close to rank: nats with twin.");
    }

    @Test
    void answersForPlainCallsWhereTheyWereMeasured() {
        assertThat(answer(sample("further-dimensions")).get(0)).startsWith("At 100 calls a request and 100 users, ");
    }

    @Test
    void saysWhoHasNoFigure() {
        assertThat(answer(sample("gaps"))).first().asString().endsWith("rest has no figure here.");
    }

    @Test
    void saysThatPromisesDiffer() {
        assertThat(ReportPage.delivery(small).map(Sentence::toString))
                .hasValue(
                        "The rows do not promise the same. able and charlie: at most once; baker: stored. Who promises"
                                + " less has less to do.");
    }

    @Test
    void ranksNothingThatIsTooClose() {
        MeasuredRun run = SampleResults.of("close", 1, SampleResults.NATS, SampleResults.NATS.named("twin"))
                .closed(List.of(100), List.of(100))
                .run();

        assertThat(answer(run).get(0))
                .startsWith("At 100 calls a request and 100 users, nats and twin are too close to rank (");
    }

    @Test
    void callsOneRoundNoRanking() {
        assertThat(answer(sample("one-round")))
                .endsWith("Fewer than five rounds are too few to test: an indication, not a ranking.");
    }

    @Test
    void neverRanksWhatIsNotValid() {
        MeasuredRun run =
                SampleResults.quick(9).invalid("nats", 1000, "a wrong square").run();

        assertThat(RankingSentence.of(Ranking.of(run, Metric.CPU, run.closed().get(2)), "")
                        .toString())
                .startsWith("A call over kafka costs least")
                .endsWith("nats is not valid here and not ranked.");
    }

    @Test
    void namesTheNextAndTheLastOfMany() {
        assertThat(answer(sample("seven")).get(0)).contains("kafka, the next, costs", "rest, the last, ");
    }

    @Test
    void hasNothingToSayOfNothing() {
        assertThat(answer(sample("nothing"))).containsExactly("Nothing was measured, so there is nothing to say.");
        assertThat(answer(sample("all-invalid")))
                .containsExactly("No cell is valid, so there is nothing to rank: see below what went wrong.");
    }
}
