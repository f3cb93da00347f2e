package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Golden sentences of small.json, which is made up so that every figure can be checked by hand. */
class SentencesTests {

    @TempDir
    Path folder;

    private final Results small = small();
    private final Sentences sentences = new Sentences(small);

    static Results small() {
        URL file = Objects.requireNonNull(SentencesTests.class.getResource("/report/small.json"));
        try {
            return Results.read(Path.of(file.toURI()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void answersInThreeSentences() {
        assertThat(sentences.answer())
                .containsExactly(
                        "At 100 calls a request and 10 users, a call over able costs least, 15.0 µs of CPU; baker costs 2.0"
                                + " times as much (30.0 µs) and charlie 6.0 times (90.0 µs).",
                        "The order depends on the load: at 1 call a request, charlie costs least.",
                        "able also makes the most calls, 100 k/s, 2.0 times as many as baker (50.0 k/s) and 5.0 times as many"
                                + " as charlie (20.0 k/s).");
    }

    @Test
    void describesAChartOfOneLoad() {
        List<Load> one = List.of(small.loads(true).get(0));

        assertThat(sentences.chart(Metric.CPU, one))
                .isEqualTo(
                        "A call over charlie costs least, 160 µs of CPU; able costs 1.3 times as much (200 µs) and baker"
                                + " 1.3 times (206 µs).");
        assertThat(sentences.chart(Metric.REQUEST_P99, one))
                .isEqualTo("charlie answers 99 % of its requests soonest, within 10.0 ms; able takes 2.0 times as long"
                        + " (20.0 ms) and baker 4.0 times (40.0 ms).");
        assertThat(sentences.chart(Metric.CALL_P99, one)).isEqualTo("Nothing valid was measured here.");
    }

    @Test
    void saysWhatTheSpreadDoesNotAllow() {
        assertThat(sentences.spread(Metric.CALLS, List.of(small.loads(true).get(0))))
                .isEqualTo("Too close to rank: able and baker with 10 users.");
        assertThat(sentences.spread(Metric.CALLS, List.of(small.loads(true).get(1))))
                .isEqualTo("The spread is small beside the differences: every order here stands.");
        assertThat(sentences.scatter(Metric.CPU))
                .hasValue(
                        "CPU per call: the rounds of a cell lie 2 % apart (median of all cells), at most 2 % (charlie,"
                                + " 100 calls, 10 users).");
    }

    @Test
    void findsWhereLinesCross() {
        assertThat(sentences.crossovers(Metric.CALLS, small.loads(true), List.of(1, 100), "call"))
                .isEqualTo(
                        "able overtakes charlie between 1 and 100 calls (near 3); baker overtakes charlie between 1 and"
                                + " 100 calls (near 4).");
    }

    @Test
    void saysWhatTheFrameworkCosts() {
        assertThat(sentences.framework())
                .containsExactly(
                        "Over able the bare client makes 400 k calls/s, the service at best 100 k (100 calls, 10 users),"
                                + " 25 % of it; a call costs 3.0 times the CPU (15.0 µs instead of 5.00 µs).");
    }

    @Test
    void takesACrossingWithinTheNoiseForNone() throws IOException {
        Results results = SampleResults.of("twins", 2, SampleResults.NATS, twinOfNats())
                .closed(List.of(1, 10, 100, 1000), List.of(100))
                .read(folder);

        assertThat(new Sentences(results)
                        .crossovers(Metric.CALLS, results.loads(true), List.of(1, 10, 100, 1000), "call"))
                .isEqualTo(
                        "Lines meet between 1 and 1,000 calls, but none crosses another by more than the noise. At 1,000"
                                + " calls, too close to rank: nats with twin.");
    }

    @Test
    void saysWhoHasNoFigure() throws IOException {
        assertThat(new Sentences(Samples.all().get("gaps").read(folder)).answer())
                .first()
                .asString()
                .endsWith("rest has no figure here.");
    }

    @Test
    void saysThatPromisesDiffer() {
        assertThat(sentences.delivery())
                .hasValue(
                        "The transports do not promise the same. able and charlie: at most once; baker: stored. Who promises"
                                + " less has less to do.");
    }

    @Test
    void ranksNothingThatIsTooClose() throws IOException {
        Results results = SampleResults.of("close", 1, SampleResults.NATS, twinOfNats())
                .closed(List.of(100), List.of(100))
                .read(folder);

        assertThat(new Sentences(results).answer().get(0))
                .startsWith("At 100 calls a request and 100 users, nats and twin are too close to rank (");
    }

    private static SampleResults.Transport twinOfNats() {
        SampleResults.Transport nats = SampleResults.NATS;
        return new SampleResults.Transport(
                "twin",
                nats.kind(),
                nats.delivery(),
                nats.aggregator(),
                nats.responder(),
                nats.broker(),
                nats.batching(),
                nats.delay(),
                nats.raw());
    }

    @Test
    void callsOneRoundNoRanking() throws IOException {
        Results results = Samples.all().get("one-round").read(folder);

        assertThat(new Sentences(results).answer())
                .endsWith("Fewer than three rounds show no spread: an indication, not a ranking.");
    }

    @Test
    void neverRanksWhatIsNotValid() throws IOException {
        Results results =
                SampleResults.quick(9).invalid("nats", 1000, "a wrong square").read(folder);
        Load load = results.loads(true).get(2);

        assertThat(new Sentences(results).ranking(Ranking.of(results, Metric.CPU, load), ""))
                .startsWith("A call over kafka costs least")
                .endsWith("nats is not valid here and not ranked.");
    }

    @Test
    void namesTheNextAndTheLastOfMany() throws IOException {
        Results results = Samples.all().get("seven").read(folder);

        assertThat(new Sentences(results).answer().get(0)).contains("kafka, the next, costs", "rest, the last, ");
    }

    @Test
    void hasNothingToSayOfNothing() throws IOException {
        assertThat(new Sentences(Samples.all().get("nothing").read(folder)).answer())
                .containsExactly("Nothing was measured, so there is nothing to say.");
        assertThat(new Sentences(Samples.all().get("all-invalid").read(folder)).answer())
                .containsExactly("No cell is valid, so there is nothing to rank: see below what went wrong.");
    }
}
