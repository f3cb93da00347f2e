package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.chatterbox.report.CallsChart.Load;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.Sums;
import dev.chatterbox.workloads.Workload;
import java.io.StringReader;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class CallsChartTests {

    private static final Load FULL =
            new Load("full load", Workload.parseAll("unary calls=1,10,100 users=25; unary calls=1000 users=8"));
    private static final Load LONE = new Load("one user & no more", Workload.parseAll("unary calls=1 users=1"));

    private final SampleRun sample = SampleRun.transports(1);

    @Test
    void drawsALineForEachVariantWithItsNameAndLastFigure() throws Exception {
        MeasuredRun run = MeasuredRun.of("run", sample.results());
        String svg = CallsChart.svg(run, List.of("rest", "nats"), List.of(LONE, FULL));

        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertThat(svg)
                .contains("one user &amp; no more", "full load", "CPU-µs per call", "calls per request")
                .contains(named("rest", cost(run, "rest")), named("nats", cost(run, "nats")))
                .doesNotContain("kafka", "NaN", "†");
        assertThat(all(svg, "class=\"curve\"")).hasSize(4);
        assertThat(all(svg, "class=\"whisker\"")).hasSize(10);
    }

    @Test
    void hasTheColoursOfLightAndDarkPages() {
        assertThat(CallsChart.svg(MeasuredRun.of("run", sample.results()), List.of("nats"), List.of(FULL)))
                .containsPattern("\\.calls\\{[^}]*--series-1: #0072b2;")
                .containsPattern("@media\\(prefers-color-scheme:dark\\)\\{\\.calls\\{[^}]*--series-1: #4fa8e8;")
                .contains("<g color=\"var(--series-1)\">");
    }

    @Test
    void drawsEveryFactorOfTenEquallyLong() {
        String svg = CallsChart.svg(MeasuredRun.of("run", sample.results()), List.of("nats"), List.of(FULL));
        List<Double> x = all(svg, "class=\"whisker\" d=\"M([0-9.]+) ").stream()
                .map(found -> Double.valueOf(found.group(1)))
                .toList();
        List<Double> costs = all(svg, "class=\"grid\" x1=\"\\S+\" x2=\"\\S+\" y1=\"([0-9.]+)\"").stream()
                .map(found -> Double.valueOf(found.group(1)))
                .toList();

        assertThat(x).hasSize(4);
        assertThat(x.get(2) - x.get(1)).isCloseTo(x.get(1) - x.get(0), within(0.2));
        assertThat(x.get(3) - x.get(2)).isCloseTo(x.get(1) - x.get(0), within(0.2));
        assertThat((costs.get(0) - costs.get(1)) / (costs.get(0) - costs.get(2)))
                .as("lines at 10, 30 and 100")
                .isCloseTo(Math.log10(3), within(0.01));
    }

    @Test
    void marksALineWithACaveat() {
        sample.doubted("nats", "It was not warm.");

        assertThat(CallsChart.svg(MeasuredRun.of("run", sample.results()), List.of("rest", "nats"), List.of(FULL)))
                .contains(">nats†</tspan>", ">rest</tspan>", "† a figure with a caveat");
    }

    @Test
    void drawsNoVariantThatWasNotMeasured() {
        assertThatThrownBy(() -> CallsChart.svg(
                        MeasuredRun.of("run", sample.results()), List.of("nats", "pigeon"), List.of(FULL)))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("pigeon");
    }

    private static String named(String variant, double cost) {
        return ">%s</tspan> %s</text>".formatted(variant, Numbers.digits(cost));
    }

    private static double cost(MeasuredRun run, String variant) {
        Cell cell = run.results()
                .cell(variant, Workload.parse("unary calls=1000 users=8"), null)
                .orElseThrow();
        return Sums.cpu(cell).value();
    }

    private static List<MatchResult> all(String svg, String pattern) {
        return Pattern.compile(pattern).matcher(svg).results().toList();
    }
}
