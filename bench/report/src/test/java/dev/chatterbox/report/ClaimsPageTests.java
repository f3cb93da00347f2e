package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.chatterbox.report.claims.Claim;
import dev.chatterbox.report.claims.ClaimResult;
import dev.chatterbox.report.claims.ClaimResult.CaseResult;
import dev.chatterbox.report.claims.Verdict;
import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Results;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The variants of the sample: a call costs 89 µs over REST and 10.4 over NATS, which is 8.6 times; Kafka costs 12.7.
 */
class ClaimsPageTests {

    private static final String CLAIM = """
            source=a blog
            systems=NATS, REST
            claim=NATS is many times better <b>
            conditions=unknown
            class=A
            hypothesis=it depends
            run=quick
            workloads=unary calls=1000 users=8
            measure=cpu
            ratio=%s
            published=nats rest
            repaired=nats %s
            setting=the other transport
            """;

    private final Results quick = SampleRun.quick(1).results();

    @TempDir
    private Path folder;

    private Claim claim(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
        return Claim.read(folder).get(0);
    }

    @ParameterizedTest
    @CsvSource({"9, REPRODUCED", "5, DIRECTION_ONLY", "30, DIRECTION_ONLY"})
    void judgesTheVariantsWithThePublishedSettings(String ratio, Verdict verdict) throws IOException {
        ClaimResult result = ClaimResult.of(claim("1.1.properties", CLAIM.formatted(ratio, "kafka")), quick);

        assertThat(result.cases()).extracting(CaseResult::verdict).containsExactly(verdict);
        assertThat(result.why()).isEmpty();
    }

    @Test
    void judgesNothingWithoutAVariantThatItNeeds() throws IOException {
        ClaimResult result = ClaimResult.of(claim("1.1.properties", CLAIM.formatted("9", "grpc")), quick);

        assertThat(result.cases()).isEmpty();
        assertThat(result.why()).startsWith("A variant that it needs was not measured");
    }

    @Test
    void namesTheConditionOfWhatIsNotComparable() throws IOException {
        Claim claim =
                claim("1.1.properties", CLAIM.formatted("9", "rest") + "not-comparable=theirs are three machines\n");
        ClaimsPage page = new ClaimsPage(List.of(claim), Map.of("quick", quick));

        assertThat(ClaimResult.of(claim, quick).cases())
                .extracting(CaseResult::verdict)
                .containsExactly(Verdict.NOT_COMPARABLE);
        assertThat(page.markdown()).contains("- Not comparable: theirs are three machines.\n");
        assertThat(String.join(" ", page.lines())).contains("not comparable");
    }

    /** The planted flaw: a cold variant. Its figure is shown and judged, and nobody can overlook that it was cold. */
    @Test
    void aVerdictFromAFigureWithACaveatSaysSo() throws IOException {
        Claim claim = claim("1.1.properties", CLAIM.formatted("9", "rest"));
        Results cold =
                SampleRun.quick(1).doubted("rest", "its compilers took 37 %").results();
        ClaimsPage page = new ClaimsPage(List.of(claim), Map.of("quick", cold));

        assertThat(ClaimResult.of(claim, cold).cases())
                .extracting(CaseResult::verdict)
                .containsExactly(Verdict.REPRODUCED);
        assertThat(page.markdown())
                .containsPattern(
                        "\\| 9\\.00 \\| \\d\\.\\d+ \\S+ᵃ \\| reproduced, with a caveat \\| \\d\\.\\d+ \\S+ᵃ \\|")
                .contains(
                        "\n\nᵃ rest: its compilers took 37 %.",
                        "- Verdicts on the published ratios: 9.00 reproduced, with a caveat.\n- Caveats: rest: its compilers took 37 %.\n",
                        "1 published ratio: 1 reproduced. 1 of the verdicts come from\nfigures with a caveat.");
        assertThat(String.join("\n", page.lines()))
                .containsPattern("\\d\\.\\d+ \\S+ᵃ")
                .contains("  ᵃ rest: its");
    }

    @Test
    void aVerdictHasTheCaveatsOfItsRun() throws IOException {
        Claim claim = claim("1.1.properties", CLAIM.formatted("9", "rest"));

        Results interrupted = SampleRun.quick(1).interrupted().results();
        assertThat(ClaimResult.of(claim, interrupted).cases().get(0).caveats())
                .extracting(Caveat::toString)
                .containsExactly("the run quick: it did not come to its end");
        assertThat(ClaimResult.of(claim, quick).cases().get(0).text()).isEqualTo("reproduced");
    }

    /** The variants as published are there for their settings. */
    @Test
    void publishedSettingsAreACaveatOfAFigureAndNotOfAVerdict() throws IOException {
        Claim claim = claim("1.1.properties", CLAIM.formatted("30", "rest"));
        Results published =
                SampleRun.quick(1).doubted("rest", Caveat.PUBLISHED_SETTINGS).results();

        assertThat(ClaimResult.of(claim, published).cases().get(0).text()).isEqualTo("direction only");
        assertThat(new ClaimsPage(List.of(claim), Map.of("quick", published)).markdown())
                .contains("ᵃ rest: " + Caveat.PUBLISHED_SETTINGS);
    }

    @ParameterizedTest
    @CsvSource({"nats rest, DIRECTION_ONLY", "rest nats, CONTRADICTED"})
    void judgesAClaimWithoutAFigureByItsSign(String pair, Verdict verdict) throws IOException {
        Claim claim = claim(
                "1.1.properties", CLAIM.formatted("1", "rest").replaceAll("(published|repaired)=.*", "$1=" + pair));

        assertThat(ClaimResult.of(claim, quick).cases())
                .extracting(CaseResult::verdict)
                .containsExactly(verdict);
        assertThat(new ClaimsPage(List.of(claim), Map.of("quick", quick)).markdown())
                .contains("| above 1 |");
    }

    private Claim ofOneVariant(String measure) throws IOException {
        return claim(
                "1.1.properties",
                CLAIM.formatted("1.1", "rest")
                        .replace("measure=cpu", "measure=" + measure)
                        .replaceAll("(published|repaired)=.*", "$1=nats nats"));
    }

    @Test
    void comparesTheSlicesOfOneVariant() throws IOException {
        ClaimResult result = ClaimResult.of(ofOneVariant("spread"), quick);

        assertThat(result.cases().get(0).published().value()).isGreaterThan(1).isLessThan(1.5);
    }

    @Test
    void needsTwoStartsForASecondRun() throws IOException {
        assertThat(ClaimResult.of(ofOneVariant("second-run"), quick).cases()).isEmpty();
    }

    @Test
    void theShareOfASettingComesFromOurOwnRatios() throws IOException {
        CaseResult ratio = ClaimResult.of(claim("1.1.properties", CLAIM.formatted("30", "kafka")), quick)
                .cases()
                .get(0);

        assertThat(ratio.share().value())
                .isCloseTo(
                        1
                                - Math.log(ratio.repaired().value())
                                        / Math.log(ratio.published().value()),
                        within(1e-9));
        // Variants that differ in nothing leave no ratio from which a share could come.
        assertThat(ClaimResult.of(ofOneVariant("cpu"), quick)
                        .cases()
                        .get(0)
                        .share()
                        .value())
                .isNaN();
    }

    /** The change makes the ratio larger in the first, and turns it in the second: neither is a part of it. */
    @ParameterizedTest
    @CsvSource({"nats kafka, nats rest", "nats rest, kafka nats"})
    void aChangeThatBringsNoRatioNearerToOneHasNoShare(String published, String repaired) throws IOException {
        Claim claim = claim(
                "1.1.properties",
                CLAIM.formatted("30", "rest")
                        .replace("published=nats rest", "published=" + published)
                        .replace("repaired=nats rest", "repaired=" + repaired));
        CaseResult ratio = ClaimResult.of(claim, quick).cases().get(0);

        assertThat(ratio.published().leavesOutOne()).isTrue();
        assertThat(ratio.repaired().leavesOutOne()).isTrue();
        assertThat(ratio.share().value()).isNaN();
    }

    @Test
    void sizesHaveAnIntervalFromThreeStartsOn() {
        assertThat(Estimator.ofStarts(DoubleStream.of(2, 2.1)).hasInterval()).isFalse();

        Estimate ratio = Estimator.ofStarts(DoubleStream.of(2, 2.1, 2.205));
        // Two degrees of freedom: t is 9.92, and the standard error is ln 1.05 divided by the root of 3.
        assertThat(ratio.value()).isCloseTo(2.1, within(1e-9));
        assertThat(ratio.to()).isCloseTo(2.1 * Math.exp(9.925 * Math.log(1.05) / Math.sqrt(3)), within(1e-3));
    }

    @Test
    void countsTheFilesOfOneClaimOnce() throws IOException {
        claim("1.1-3.properties", CLAIM.formatted("9", "rest"));
        claim("1.1.properties", CLAIM.formatted("9", "rest"));

        assertThat(new ClaimsPage(Claim.read(folder), Map.of("quick", quick)).headline())
                .startsWith("1 claim, 1 of them measured, by 2 files. 2 published ratios: 2 reproduced.");
    }

    @Test
    void tellsWhatAClaimWaitsFor() throws IOException {
        String text = CLAIM.formatted("9", "kafka").replaceAll("(?s)run=.*", "needs=clusters\n");
        Claim waiting = claim("1.2.properties", text);

        assertThat(ClaimResult.of(waiting, quick).why()).isEqualTo("It waits for clusters.");
        assertThat(String.join("\n", ClaimsPage.list(List.of(waiting)))).contains("1.2", "waits for clusters");
    }

    @Test
    void saysTheSameOnATerminalAndAsMarkdown() throws IOException {
        Claim claim = claim("1.1.properties", CLAIM.formatted("9", "kafka"));
        ClaimsPage page = new ClaimsPage(List.of(claim), Map.of("quick", quick));

        assertThat(String.join("\n", page.lines())).contains("9.00", "reproduced");
        assertThat(page.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        assertThat(page.markdown())
                .contains("### 1.1: NATS, REST", "Verdicts on the published ratios: 9.00 reproduced");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "source=a blog | source= | source is missing",
                "run=quick | needs=clusters | it must say either how it is run or what it needs",
                "ratio=9 | ratio=9, 8 | each workload needs a ratio",
                "ratio=9 | ratio=0.5 | a ratio must be 1 or more",
                "published=nats rest | published=nats | must be two variants",
                "measure=cpu | measure=luck | one of throughput, cpu, p50",
                "class=A | klass=A | klass"
            })
    void refusesAWrongFile(String right, String wrong, String message) {
        String text = CLAIM.formatted("9", "kafka").replace(right, wrong.strip());
        String both = wrong.strip().startsWith("needs") ? text + "run=quick\n" : text;

        assertThatThrownBy(() -> claim("1.1.properties", both))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("1.1.properties");
    }
}
