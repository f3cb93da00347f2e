package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.Round;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTests {

    @TempDir
    Path folder;

    static Stream<String> samples() {
        return Samples.all().keySet().stream();
    }

    private static SampleResults sample(String name) {
        return Objects.requireNonNull(Samples.all().get(name));
    }

    /** Also into target/report-samples, where one can look at them. */
    @ParameterizedTest
    @MethodSource("samples")
    void writesAWholePageForEveryKindOfRun(String sample) throws IOException {
        Path run = sample(sample).write(Path.of("target", "report-samples"), sample);
        Report.write(run);
        String page = Files.readString(run.resolve("report.html"));

        assertThat(page).startsWith("<!doctype html>").endsWith("</html>\n");
        assertThat(withoutScripts(page)).doesNotContain("{{", "NaN", "Infinity", "null", "Optional");
        JsonNode charts = charts(page);
        assertThat(charts.toString()).doesNotContain("NaN", "Infinity");
        charts.propertyNames()
                .forEach(id ->
                        assertThat(count(page, "data-chart=\"" + id + "\"")).isOne());
        assertThat(count(page, "data-chart=\"")).isEqualTo(charts.size());
        assertThat(run.resolve("results.csv")).isNotEmptyFile();
        assertThat(run.resolve("summary.md")).isNotEmptyFile();
        assertThat(run).isDirectoryNotContaining("glob:**.unfinished");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void loadsNothing(String sample) throws IOException {
        String page = withoutScripts(page(sample(sample)));

        assertThat(page).contains("default-src 'none'");
        assertThat(page).doesNotContain("src=\"", "<iframe", "@import", "url(");
        assertThat(page.replaceAll("<a [^>]*>", "").replaceAll("href=\"data:[^\"]*\"", ""))
                .doesNotContain("href=", "http://", "https://");
    }

    @Test
    void answersFirst() throws IOException {
        Matcher ids = Pattern.compile("<h2 id=\"([a-z-]+)\"").matcher(page(SampleResults.full(1)));

        assertThat(ids.results().map(id -> id.group(1)))
                .containsExactly(
                        "answer",
                        "cpu",
                        "throughput",
                        "latency",
                        "call-latency",
                        "open-share",
                        "crossover",
                        "spread",
                        "raw",
                        "prediction",
                        "limits",
                        "validity",
                        "everything",
                        "environment",
                        "gatling");
    }

    @Test
    void hasATableBehindEveryChart() throws IOException {
        String page = page(SampleResults.full(2));

        assertThat(count(page, "<details><summary>Table</summary>")).isEqualTo(count(page, "data-chart=\""));
    }

    @Test
    void showsInRedWhatIsNotValid() throws IOException {
        String page =
                page(SampleResults.quick(9).invalid("kafka", 1000, "12 requests failed: 504 <b>Gateway</b> Timeout"));

        assertThat(page)
                .contains("1 of 9 cells is not valid")
                .contains("<tr class=\"bad\">")
                .contains("12 requests failed: 504 &lt;b&gt;Gateway&lt;/b&gt; Timeout (rounds 1, 2, 3, 4, 5, 6 and 7)")
                .doesNotContain("<b>Gateway</b>");
    }

    @Test
    void showsWarningsAndWhyARawLimitIsNotValid() throws IOException {
        String page = page(SampleResults.quick(1)
                .rawLimits(List.of(new RawLimit(
                        "nats",
                        false,
                        List.of("3 replies lost"),
                        2048,
                        List.of(),
                        new RawLimit.Reached(null, Map.of(), null),
                        null)))
                .rounds("nats", round -> warned(round, "other programs used 9 % of the processors")));

        assertThat(page)
                .contains("other programs used 9\u00a0% of the processors (rounds 1, 2, 3, 4, 5, 6 and 7)")
                .contains("is not valid: 3 replies lost.");
    }

    @Test
    void showsWhatIsNotRankedAndRanksItNot() throws IOException {
        String page = page(
                SampleResults.quick(1).notRanked("nats", 1, new Cell.NotRanked(List.of("too few calls"), List.of())));

        assertThat(page)
                .contains("CPU and throughput: too few calls", "<br>not ranked")
                .containsPattern("<b class=\"t\"[^>]*>nats</b> is shown and not ranked here")
                .contains("CPU when nothing is called");
    }

    @Test
    void setsTheRowsOfATransportSideBySide() throws IOException {
        SampleResults.SampleRow stock = new SampleResults.SampleRow(
                "nats-stock", "broker", "at most once", 12.2, 2.8, 7.8, 40, 0.0005, 345_000);
        String page = page(SampleResults.of("tuning", 3, SampleResults.NATS, stock, SampleResults.REST)
                .closed(List.of(1000), List.of(100)));

        assertThat(page).contains("What tuning is worth");
        String table = page.substring(page.indexOf("id=\"tuning\""), page.indexOf("id=\"limits\""));
        assertThat(table)
                .containsPattern("nats-stock</b></th>.*<td>(1\\.9\\d|2\\.0\\d)</td><td>–</td><td>2\\.\\d+\\D+</td>")
                .containsPattern("nats</b></th>.*<td>–</td><td>0\\.5\\d</td>")
                .doesNotContain(">rest<");
        assertThat(page(SampleResults.quick(1))).doesNotContain("What tuning is worth");
    }

    private static Round warned(Round round, String warning) {
        return Round.of(round.round(), round.reasons(), List.of(warning), round.window(), round.figures());
    }

    @Test
    void saysThatARunWasInterrupted() throws IOException {
        assertThat(page(sample("interrupted"))).contains("<b>Interrupted.</b>");
        assertThat(page(SampleResults.quick(1))).doesNotContain("<b>Interrupted.</b>");
    }

    @Test
    void saysThatCountsDoNotAgree() throws IOException {
        assertThat(page(SampleResults.quick(1)
                        .counts(new Counts(5, Map.of("nats", 5L), Map.of("nats", 4L), Map.of(), false))))
                .containsPattern("do not agree: calls by the load generator <b[^>]*>nats</b> 5")
                .doesNotContain("The counts agree");
    }

    @Test
    void linksToGatlingsPages() throws IOException {
        assertThat(page(SampleResults.quick(1).gatling(List.of("gatling/a-1/index.html"))))
                .contains("<a href=\"gatling/a-1/index.html\">a-1</a>");
    }

    /** Browsers leave out blanks, tabs and control characters before they look for a scheme. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                " javascript:alert(1)",
                "\tjavascript:alert(1)",
                "java\tscript:alert(1)",
                "java\nscript:alert(1)",
                "\u0001javascript:alert(1)",
                "&#106;avascript:alert(1)",
                "data:text/html,alert(1)",
                "https://example.org/alert(1)",
                "//example.org/alert(1)",
                "\\\\example.org/alert(1)",
                " /alert(1)",
                "/etc/alert(1)",
                "gatling/../../alert(1)",
                "",
            })
    void linksToNothingOutsideOfTheFolder(String path) throws IOException {
        String page = withoutScripts(page(SampleResults.quick(1).gatling(List.of(path, "gatling/a/index.html"))));

        assertThat(page).doesNotContain("alert(1)").doesNotContain("href=\"\"");
        assertThat(count(page, "<li><a ")).isOne();
    }

    @Test
    void cannotBeBrokenOutOf() throws IOException {
        String page = page(SampleResults.quick(1)
                .name("</script><script>alert(1)</script>")
                .setting("nats", "\"><img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"));

        assertThat(page).doesNotContain("<script>alert(1)", "<img src=x");
    }

    @Test
    void coloursBySortedNameOfAllKnownRows() throws IOException {
        Path run = SampleResults.of("one", 1, SampleResults.NATS)
                .closed(List.of(1), List.of(1))
                .setting("aaa", "connections", 1)
                .write(folder, "run");
        Report.write(run);

        assertThat(charts(Files.readString(run.resolve("report.html")))
                        .at("/cpu-1/rows/0/colour")
                        .intValue())
                .isEqualTo(2);
    }

    @Test
    void refusesAnotherSchema() throws IOException {
        Path run = SampleResults.quick(1).write(folder, "run");
        Path file = run.resolve("results.json");
        Files.writeString(file, Files.readString(file).replace("chatterbox-results/3", "chatterbox-results/9"));

        assertThatThrownBy(() -> Report.write(run))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("chatterbox-results/9", "chatterbox-results/3", "measure again");
        assertThat(run).isDirectoryNotContaining("glob:**report.html");
    }

    @Test
    void readsTheFirstSchema() throws IOException {
        Path small = Path.of("src", "test", "resources", "report", "schema-1.json");
        Files.copy(small, folder.resolve("results.json"));
        Report.write(folder);

        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("a call over <b class=\"t\"", "Where the lines cross", "<dt>cpu</dt><dd>made up</dd>");
    }

    @Test
    void hasAPanelForEveryShapeAndALineForEveryAxis() throws IOException {
        String page = page(sample("further-dimensions"));

        assertThat(page)
                .contains(
                        "<h3>100\u00a0calls a request, 1,024 bytes of payload</h3>",
                        "<h3>100\u00a0calls a request, 10\u00a0ms of distance, 100\u00a0users</h3>",
                        "<h3>CPU per call over bytes of payload, 100\u00a0calls a request, 100\u00a0users</h3>",
                        "<h3>Calls/s over bytes of payload, 100\u00a0calls a request, 100\u00a0users</h3>",
                        "<h3>p50 of requests over milliseconds of distance, ");
    }

    @Test
    void saysWhatADistanceDoesToARequest() throws IOException {
        SampleResults distance = sample("distance");

        assertThat(page(distance))
                .contains(
                        "<h3>p50 of requests over milliseconds of distance, 1,000\u00a0calls a request, 1\u00a0user</h3>",
                        "rest at 0 ms",
                        "Round trips that the network puts in",
                        "<td>1.21\u00a0ms</td>",
                        "is a delay that a proxy on the same machine puts in")
                .doesNotContain("there is no network latency");
        MeasuredRun run = distance.run();
        assertThat(Axis.DISTANCE.lines(run.closed()).stream()
                        .map(line -> new DistanceSentences(run, line).all().toString()))
                .containsExactly(
                        "With each millisecond of distance the p50 grows by 1.00 ms over nats and 1.00 ms over rest: so many"
                                + " round trips has a call.",
                        "With each millisecond of distance the p50 grows by 1.00 ms over nats and 1.00 ms over rest: the calls"
                                + " of a request are under way together, so it does not grow with their number until there are more"
                                + " of them than may be in flight. Then they take turns, and each turn waits for the distance: 8"
                                + " turns over rest.");
        MeasuredRun unbounded = SampleResults.of("distance", 16, SampleResults.NATS)
                .noise(0)
                .workloads("unary calls=1000 users=1 distance=1,10")
                .run();
        assertThat(Axis.DISTANCE.lines(unbounded.closed()).stream()
                        .map(line ->
                                new DistanceSentences(unbounded, line).all().toString()))
                .singleElement()
                .asString()
                .endsWith("so it does not grow with their number.");
    }

    @Test
    void saysWhatBatchesAreWorth() throws IOException {
        SampleResults cure = sample("cure");

        assertThat(page(cure))
                .contains(
                        "<h3>CPU per call over calls a message, in batches, 1,000\u00a0calls a request, 100\u00a0users</h3>");
        MeasuredRun run = cure.run();
        assertThat(Axis.SIZE.lines(run.closed()))
                .singleElement()
                .satisfies(
                        line -> assertThat(new BatchSentences(run, line).all())
                                .hasToString(
                                        "Of what a single call costs, one in a message of 1,000 costs 3 % over kafka, 3 % over"
                                                + " nats and 2 % over rest. In batches kafka costs less than single calls over nats from"
                                                + " 10 calls a message on; rest costs less than single calls over kafka from 10 calls a"
                                                + " message on; rest costs less than single calls over nats from 100 calls a message on."));
    }

    private static String batchSentence(SampleResults results) {
        MeasuredRun run = results.run();
        return new BatchSentences(run, Axis.SIZE.lines(run.closed()).get(0))
                .all()
                .toString();
    }

    private static SampleResults cure() {
        return SampleResults.of("cure", 15, SampleResults.REST, SampleResults.NATS)
                .workloads("unary calls=1000 users=100; batch calls=1000 size=10,100,1000 users=100");
    }

    /** Costs of a row's cells times a factor that depends on the calls a message. */
    private static SampleResults dearer(SampleResults results, String row, ToDoubleFunction<Workload> factor) {
        return results.cells(cells -> cells.stream()
                .map(cell -> cell.row().equals(row) ? dearer(cell, factor.applyAsDouble(cell.workload())) : cell)
                .toList());
    }

    private static Cell dearer(Cell cell, double factor) {
        List<Round> rounds =
                cell.rounds().stream().map(round -> dearer(round, factor)).toList();
        return new Cell(
                cell.row(),
                cell.kind(),
                cell.workload(),
                cell.arrivalRate(),
                cell.valid(),
                cell.notRanked(),
                cell.idleShare(),
                rounds,
                dearer(cell.median(), factor),
                cell.spread());
    }

    private static Round dearer(Round round, double factor) {
        return Round.of(
                round.round(), round.reasons(), round.warnings(), round.window(), dearer(round.figures(), factor));
    }

    private static Figures dearer(Figures all, double factor) {
        Map<String, @Nullable Double> cpu = new LinkedHashMap<>();
        all.cpu().forEach((role, micros) -> cpu.put(role, Numbers.orNaN(micros) * factor));
        return new Figures(
                all.requestsPerSecond(),
                all.callsPerSecond(),
                all.requestLatency(),
                all.callLatency(),
                cpu,
                Figures.system(cpu),
                all.allocatedBytesPerCall(),
                all.memory());
    }

    @Test
    void saysFromWhichSizeOnBatchesCostLessOnlyWhereAllLargerOnesDo() {
        assertThat(batchSentence(cure()))
                .endsWith("In batches rest costs less than single calls over nats from 100 calls a message on.");
        assertThat(batchSentence(dearer(cure(), "rest", workload -> workload.size() == 100 ? 50 : 1)))
                .endsWith("In batches rest costs less than single calls over nats from 1,000 calls a message on.");
        assertThat(batchSentence(dearer(cure(), "rest", workload -> workload.size() == 1000 ? 50 : 1)))
                .as("100 calls a message cost less, 1,000 more again")
                .doesNotContain("In batches");
    }

    @Test
    void saysNothingOfTheBatchesOfARowThatHasNone() {
        SampleResults all = dearer(cure(), "rest", workload -> workload.size() > 1 ? 50 : 1);
        assertThat(batchSentence(all))
                .endsWith("In batches rest costs no less than single calls over nats in any batch.");

        assertThat(batchSentence(cure().cells(cells -> cells.stream()
                        .filter(cell ->
                                !cell.row().equals("rest") || cell.workload().size() == 1)
                        .toList())))
                .contains("over nats")
                .doesNotContain("rest");
    }

    @Test
    void saysThatARequestWaitsForMoreThanItsRoundTrips() {
        MeasuredRun run =
                sample("distance").setting("rest", "bounds.in-flight", 1024).run();

        assertThat(Axis.DISTANCE.lines(run.closed()).stream()
                        .map(line -> new DistanceSentences(run, line).all().toString()))
                .last()
                .asString()
                .endsWith("so it does not grow with their number.");
        MeasuredRun slow = sample("distance")
                .rounds("rest", ReportTests::eightTimesAsLate)
                .setting("rest", "bounds.in-flight", 1024)
                .run();
        assertThat(Axis.DISTANCE.lines(slow.closed()).stream()
                        .map(line -> new DistanceSentences(slow, line).all().toString()))
                .last()
                .isEqualTo(
                        "With each millisecond of distance the p50 grows by 1.00 ms over nats and 8.00 ms over rest. That is more"
                                + " than what a request waits for: 1 round trip over rest.");
    }

    private static Round eightTimesAsLate(Round round) {
        Figures all = round.figures();
        Latency latency = all.requestLatency();
        Double p50 = latency.p50();
        Figures late = new Figures(
                all.requestsPerSecond(),
                all.callsPerSecond(),
                new Latency(
                        p50 == null ? null : (Double) (8 * p50),
                        latency.p90(),
                        latency.p95(),
                        latency.p99(),
                        latency.p999(),
                        latency.max()),
                all.callLatency(),
                all.cpu(),
                all.cpuSystem(),
                all.allocatedBytesPerCall(),
                all.memory());
        return Round.of(round.round(), round.reasons(), round.warnings(), round.window(), late);
    }

    @Test
    void refusesWhatIsNoResult() throws IOException {
        Files.writeString(folder.resolve("results.json"), "{\"cells\":[");
        assertThatThrownBy(() -> Report.write(folder))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("is not readable");

        Files.writeString(folder.resolve("results.json"), "{}");
        assertThatThrownBy(() -> Report.write(folder)).hasMessageContaining("it names no schema");

        Files.delete(folder.resolve("results.json"));
        assertThatThrownBy(() -> Report.write(folder)).hasMessageContaining("There is no ");
    }

    private String page(SampleResults results) throws IOException {
        Path run = results.write(folder, "page");
        Report.write(run);
        return Files.readString(run.resolve("report.html"));
    }

    static String withoutScripts(String page) {
        return page.replaceAll("(?s)<script.*?</script>", "");
    }

    private static JsonNode charts(String page) {
        String start = "<script type=\"application/json\" id=\"charts-data\">";
        int from = page.indexOf(start) + start.length();
        return JsonMapper.shared().readTree(page.substring(from, page.indexOf("</script>", from)));
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }
}
