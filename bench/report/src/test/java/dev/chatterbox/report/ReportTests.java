package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.chatterbox.report.tables.Emphasis;
import dev.chatterbox.report.tables.Table;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.RoundTrip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReportTests {

    private static final String RATES =
            "unary calls=1,10,100,1000 rate=5,20,50; unary calls=100 rate=5,20,50 payload=1024;"
                    + " batch calls=1000 size=10,100 rate=5,20,50; stream calls=10,1000 rate=5,20,50";

    @TempDir
    Path folder;

    private static List<Path> published() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../../docs/results"))) {
            return files.filter(file -> file.toString().endsWith(".json.gz")).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("published")
    void everyPublishedFileHasAReport(Path file) throws IOException {
        Report report = new Report(folder, ResultsFile.read(file));

        report.write();

        assertThat(report.html()).contains("CPU-µs", "</html>");
        assertThat(folder.resolve("results.csv")).content().startsWith("table,");
        assertThat(report.lines(Emphasis.NONE)).isNotEmpty().allMatch(line -> line.length() <= TableText.WIDTH);
    }

    /** Every kind of run for which the page must work. */
    private static Map<String, SampleRun> all() {
        Map<String, SampleRun> all = new LinkedHashMap<>();
        all.put("quick", SampleRun.quick(1));
        all.put(
                "transports",
                SampleRun.transports(2)
                        .doubted("rest-python", "it was not warm after 60 s")
                        .out("kafka", 1, "other programs took 14 % of the processors in its block")
                        .unanswered("rabbitmq", 0.1));
        all.put(
                "one-variant",
                new SampleRun("one-variant", 3, List.of(SampleRun.NATS)).headline("unary calls=1,10 users=4"));
        all.put(
                "smoke",
                new SampleRun("smoke", 4, List.of(SampleRun.NATS, SampleRun.REST))
                        .measure("unary calls=1,10 users=4", List.of(SampleRun.NATS, SampleRun.REST), 4, 1)
                        .doubted("nats", "it was not warmed up")
                        .doubted("rest", "it was not warmed up"));
        all.put(
                "live",
                new SampleRun("live", 5, List.of(SampleRun.NATS))
                        .measure("unary calls=100 users=50", List.of(SampleRun.NATS), 1, 1));
        all.put(
                "rates",
                new SampleRun("rates", 6, List.of(SampleRun.REST, SampleRun.NATS, SampleRun.KAFKA))
                        .headline("unary calls=1,10,100,1000 users=25")
                        .headline(RATES));
        all.put(
                "distance",
                new SampleRun("distance", 7, List.of(SampleRun.REST, SampleRun.NATS))
                        .headline("unary calls=1,100 users=1 distance=0ms,1ms,10ms")
                        .roundTrips(new RoundTrip("nats", 10, 0.0102)));
        all.put(
                "cure",
                new SampleRun("cure", 8, List.of(SampleRun.REST, SampleRun.NATS))
                        .headline(
                                "unary calls=1000 users=25; batch calls=1000 size=1,10,100,1000 users=25; stream calls=1000 users=25"));
        all.put(
                "queue",
                new SampleRun("queue", 11, List.of(SampleRun.REST, SampleRun.NATS))
                        .headline("queue calls=20000 users=1 publishers=1,250")
                        .bare()
                        .others("unary calls=100 users=8"));
        all.put(
                "target-without-cpu",
                new SampleRun("target", 12, List.of(SampleRun.NATS))
                        .headline("unary calls=1,100 users=25")
                        .withoutCpu("nats"));
        all.put("against", AgainstTests.sample(1.2));
        all.put("interrupted", SampleRun.quick(9).interrupted().doubted("nats", "half of it is missing"));
        all.put(
                "all-out",
                SampleRun.quick(10).out("nats", 1000, "a request failed: 504").disagreeing());
        return all;
    }

    static Stream<String> samples() {
        return all().keySet().stream();
    }

    private static SampleRun sample(String name) {
        return Objects.requireNonNull(all().get(name));
    }

    @Test
    void saysOnATerminalWhyARunIsNotValid() {
        Report report = new Report(folder, SampleRun.quick(10).disagreeing().results());
        assertThat(String.join(" ", report.lines(Emphasis.NONE)))
                .contains("The counts do not agree over the whole run.");
    }

    /** The pages stay in target/report-samples, where one can look at them. */
    @ParameterizedTest
    @MethodSource("samples")
    void writesAWholePageForEveryKindOfRun(String sample) throws IOException {
        Path run = sample(sample).write(Path.of("target", "report-samples"), sample);
        report(run).write();
        String page = Files.readString(run.resolve("report.html"));

        assertThat(page).startsWith("<!doctype html>").endsWith("</html>\n");
        String shown = withoutScripts(page);
        assertThat(shown).doesNotContain("{{", "NaN", "Infinity", "Optional", ">null<", " null");
        assertThat(shown).contains("default-src 'none'").doesNotContain("src=\"", "<iframe", "@import", "url(");
        assertThat(shown.replaceAll("href=\"data:[^\"]*\"", "").replace("href=\"#main\"", ""))
                .doesNotContain("href=", "http://", "https://");
        assertThat(run.resolve("results.csv")).isNotEmptyFile();
        assertThat(run.resolve("summary.md")).isNotEmptyFile();
        assertThat(run).isDirectoryNotContaining("glob:**.unfinished");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void fitsTheTerminal(String sample) {
        List<String> lines = new Report(folder, sample(sample).results()).lines(Emphasis.NONE);

        assertThat(lines)
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(TableText.WIDTH));
        assertThat(String.join("\n", lines)).doesNotContain("NaN", "Infinity", "null");
        assertThat(sample.equals("transports") && String.join("\n", lines).contains("rest-pyth…"))
                .isFalse();
    }

    @Test
    void answersFirstAndFoldsTheRest() throws IOException {
        String page = withoutScripts(page(SampleRun.transports(1)));
        int fold = page.indexOf("<details");

        assertThat(page.substring(0, fold))
                .contains("100\u00a0calls per request, 25\u00a0users: ", " lowest cost, ")
                .containsPattern("(?s)<figure.*<figure")
                .doesNotContainPattern("(?s)<figure.*<figure.*<figure");
        assertThat(page.substring(fold).replaceAll("(?s)<details.*?</details>", ""))
                .doesNotContain("<table", "<figure");
        assertThat(Pattern.compile("<summary><h2>([^<:]+)")
                        .matcher(page)
                        .results()
                        .map(found -> found.group(1)))
                .containsExactly(
                        "Rankings, workload by workload",
                        "CPU per call under the other workloads",
                        "CPU per call over calls per request",
                        "Requests per second",
                        "Latency of requests",
                        "Bare clients",
                        "What the numbers do not say",
                        "Processes and counts",
                        "Environment");
    }

    @Test
    void tellsAllVariantsOfAChartApartWithoutColour() throws IOException {
        Palette own = MeasuredRun.of("run", SampleRun.transports(1).results()).palette();

        assertThat(own.names()).hasSize(9);
        assertThat(Stream.of("artemis", "rest", "grpc", "rest-python")
                        .map(variant -> own.look(variant).mark() + " "
                                + own.look(variant).dash()))
                .doesNotHaveDuplicates();
        Palette many = new Palette(
                Stream.iterate(1, i -> i + 1).limit(40).map(i -> "variant" + i).toList());
        assertThat(many.names().stream().map(name -> {
                    Palette.Look look = many.look(name);
                    return look.mark() + " " + look.dash();
                }))
                .doesNotHaveDuplicates();
    }

    @Test
    void saysWhyAVariantIsNotRankedAndWhichSlicesAreOut() throws IOException {
        Path run = sample("transports").write(folder, "run");
        report(run).write();

        String page =
                withoutScripts(Files.readString(run.resolve("report.html"))).replace('\u00a0', ' ');
        String summary = Files.readString(run.resolve("summary.md"));
        assertThat(List.of(page, summary))
                .allSatisfy(text -> assertThat(text)
                        .contains("rest-python, rest-python (bare client): it was not warm after 60 s."));
        assertThat(Files.readString(run.resolve("results.csv"))).contains(",rest-python: it was not warm after 60 s\n");
        assertThat(List.of(
                        page,
                        summary,
                        String.join(" ", new Report(folder, sample("transports").results()).lines(Emphasis.NONE))
                                .replaceAll(" +", " ")))
                .allSatisfy(text -> assertThat(text)
                        .as("a mark at a figure, and its footnote")
                        .containsPattern("\\dᵃ")
                        .contains("ᵃ rest-python: it was not warm after 60 s.")
                        .contains("kafka: 1 of 20 slices are out, because other programs took 14 % of the processors"));
    }

    @Test
    void showsWhatBecameOfTheMessagesOfAQueue() throws IOException {
        Path run = sample("queue").write(folder, "run");
        report(run).write();

        String text = String.join("\n", new Report(folder, sample("queue").results()).lines(Emphasis.NONE));
        assertThat(List.of(
                        withoutScripts(Files.readString(run.resolve("report.html"))),
                        Files.readString(run.resolve("summary.md")),
                        text))
                .allSatisfy(page -> assertThat(page)
                        .contains(
                                "Outcome of the messages", "How fast the messages were", "40,000", "1.25", "doubled"));
        assertThat(text).contains("CPU-µs per message").contains("20,000 messages per slice, one-way, 1 publisher");
        assertThat(Files.readAllLines(run.resolve("results.csv")).get(0))
                .contains(",published,", ",consumed/s,", ",one-way p50,");
        assertThat(String.join("\n", new Report(folder, sample("quick").results()).lines(Emphasis.NONE)))
                .doesNotContain("the messages");
    }

    @Test
    void drawsTheCostOverTheCallsOfEachLoad() throws IOException {
        String page = withoutScripts(page(new SampleRun("calls", 12, List.of(SampleRun.REST, SampleRun.NATS))
                .headline("unary calls=1,10,100 users=25; unary calls=1,10 users=1; unary calls=7 users=3")
                .headline("queue calls=10,1000 users=1")));

        assertThat(count(page, "<svg")).isEqualTo(2);
        assertThat(page)
                .contains("y=\"24\">25 users</text>", "y=\"24\">1 user</text>", ">rest</tspan>", ">nats</tspan>")
                .doesNotContain("y=\"24\">3 users</text>", "--series-1: #0072b2;");
    }

    @Test
    void saysThatCountsDoNotAgreeAndThatARunDidNotComeToItsEnd() throws IOException {
        assertThat(withoutScripts(page(sample("all-out")))).contains("do not agree");
        assertThat(withoutScripts(page(sample("interrupted"))))
                .contains("The run did not come to its end")
                .doesNotContain("do not agree");
        assertThat(withoutScripts(page(SampleRun.quick(1))))
                .doesNotContain("do not agree", "did not come to its end", "Caveats");
    }

    @Test
    void cannotBeBrokenOutOf() throws IOException {
        String evil = "</script><img src=x onerror=alert(1)>";
        String page = page(SampleRun.quick(1)
                .setting("nats", evil, evil)
                .doubts(evil)
                .doubted("kafka", evil)
                .processor(evil));

        assertThat(page).doesNotContain("<img").contains("&lt;img src=x onerror=alert(1)");
    }

    @Test
    void aBarIsAsLongAsItsPartOfTheLargestFigure() throws IOException {
        Bars bars = Bars.cpu(
                MeasuredRun.of("run", SampleRun.quick(1).results()).rankings().get(0));
        double most =
                bars.bars().stream().mapToDouble(bar -> bar.figure().to()).max().orElseThrow();
        Bars.Bar first = bars.bars().get(0);

        assertThat(bars.percent(most)).isEqualTo("100.00%");
        assertThat(bars.percent(most / 4)).isEqualTo("25.00%");
        assertThat(bars.percent(Double.NaN)).isEqualTo("0");
        assertThat(first.parts().stream().mapToDouble(part -> part).sum())
                .isCloseTo(first.figure().value(), within(1e-6));
        assertThat(withoutScripts(page(SampleRun.quick(1))))
                .contains("<i class=\"s0\" style=\"width:", "<b class=\"whisker\" style=\"left:");
    }

    @Test
    void leavesOutAPercentileThatNoVariantHas() {
        Table table = new RunTables(MeasuredRun.of("run", SampleRun.quick(1).results())).percentiles();

        assertThat(table.columns()).extracting(Table.Column::title).startsWith("variant", "workload", "p50");
        assertThat(table.lines()).isNotEmpty();
    }

    @Test
    void writesTheTablesForSpreadsheets() throws IOException {
        Path run = SampleRun.quick(1).doubted("kafka", "a, \"quoted\" reason").write(folder, "run");
        report(run).write();
        List<String> csv = Files.readAllLines(run.resolve("results.csv"));

        // The pairs are those of the two ranked variants.
        assertThat(csv).hasSize(1 + 5 * 4 + 3 + 5);
        assertThat(csv.get(0))
                .startsWith("table,rank,variant,CPU-µs,CPU-µs from,CPU-µs to,price,")
                .endsWith(",caveats");
        assertThat(csv)
                .anySatisfy(line ->
                        assertThat(line).matches("\"1,000 calls per request, 8 users\",1,nats(,\\d+\\.\\d{5,}){4},.*,"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("Pairs of ranked variants,,rest,")
                        .contains(",unary calls=1000 users=8,nats,", ",costs more,"))
                .anySatisfy(
                        line -> assertThat(line).contains(",,kafka,").endsWith(",\"kafka: a, \"\"quoted\"\" reason\""));
    }

    @Test
    void refusesAnotherSchema() throws IOException {
        Path run = SampleRun.quick(1).write(folder, "run");
        Path file = run.resolve(ResultsFile.NAME);
        Files.writeString(file, Files.readString(file).replace(ResultsFile.SCHEMA, "chatterbox-results/3"));

        assertThatThrownBy(() -> report(run).write())
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("chatterbox-results/3", "measure again");
        assertThat(run).isDirectoryNotContaining("glob:**report.html");
    }

    private static Report report(Path run) {
        return new Report(run, ResultsFile.read(run));
    }

    private String page(SampleRun sample) throws IOException {
        Path run = sample.write(folder, "page");
        report(run).write();
        return Files.readString(run.resolve("report.html"));
    }

    private static String withoutScripts(String page) {
        return page.replaceAll("(?s)<script.*?</script>", "").replaceAll("(?s)<style.*?</style>", "");
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }
}
