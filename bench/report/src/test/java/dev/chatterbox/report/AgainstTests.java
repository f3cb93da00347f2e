package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.report.tables.Emphasis;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.results.Results;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgainstTests {

    private static final String WORKLOADS = "unary calls=100 users=25; unary calls=1000 users=8";

    /** @param factor the factor by which a call over NATS costs more in this stack than in the base */
    static SampleRun sample(double factor) {
        List<SampleRun.SampleVariant> base = List.of(SampleRun.NATS, SampleRun.REST);
        return new SampleRun("against", 11, base)
                .starts(2)
                .noise(0.02)
                .side(Against.BASE)
                .measure(WORKLOADS, base, 20, 1)
                .side(Against.THIS)
                .measure(WORKLOADS, List.of(SampleRun.NATS.costing(factor), SampleRun.REST), 20, 1);
    }

    @Test
    void saysWhatCostsMoreAndByHowMuch() {
        Against costlier = Against.of(sample(1.3).results());

        assertThat(costlier.valid()).isTrue();
        assertThat(costlier.ratios()).hasSize(4);
        assertThat(costlier.ratios().stream().filter(ratio -> ratio.variant().equals("nats")))
                .allSatisfy(ratio -> assertThat(ratio.verdict())
                        .matches("costs (\\d\\d|\\d\\.\\d) % \\[\\d+(\\.\\d)? %–\\d\\d %\\] more"));
        assertThat(costlier.costlierThan(0.05)).containsExactly("nats");
        assertThat(costlier.costlierThan(0.5)).isEmpty();
    }

    @Test
    void saysWhatCostsLess() {
        Against cheaper = Against.of(sample(0.7).results());

        assertThat(cheaper.costlierThan(0)).isEmpty();
        assertThat(cheaper.ratios().stream().filter(ratio -> ratio.variant().equals("nats")))
                .allSatisfy(ratio -> assertThat(ratio.verdict()).matches("costs \\d\\d % \\[.* less"));
    }

    @Test
    void saysAboveWhatThereIsNoDifference() {
        Against same = Against.of(sample(1).results());

        assertThat(same.costlierThan(0)).isEmpty();
        assertThat(same.ratios())
                .allSatisfy(ratio -> assertThat(ratio.verdict()).matches("no difference above \\d+(\\.\\d)? %"));
        assertThat(TableText.terminal(same.table(), Emphasis.NONE))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(TableText.WIDTH))
                .anySatisfy(line -> assertThat(line).startsWith("nats").contains("no difference above"));
    }

    @Test
    void judgesNothingThatIsDoubted() {
        Results results = sample(2).doubted("nats", "it was not warm").results();

        Against doubted = Against.of(results);

        assertThat(doubted.valid()).isFalse();
        assertThat(doubted.costlierThan(0.05)).isEmpty();
        assertThat(String.join(" ", TableText.terminal(doubted.table(), Emphasis.NONE)))
                .contains("not judged", "ᵃ nats (base), nats (this): it was not warm.");
        assertThat(Against.of(SampleRun.quick(1).results()).valid()).isFalse();
    }

    @Test
    void comparesVariantsThatBothHave() {
        List<SampleRun.SampleVariant> two = List.of(SampleRun.NATS, SampleRun.REST);
        Results results = new SampleRun("against", 1, two)
                .side(Against.BASE)
                .measure(WORKLOADS, List.of(SampleRun.NATS), 20, 1)
                .side(Against.THIS)
                .measure(WORKLOADS, two, 20, 1)
                .results();

        assertThat(Against.of(results).ratios())
                .extracting(Against.Ratio::variant)
                .containsOnly("nats");
    }
}
