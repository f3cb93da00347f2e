package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.cli.CliException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTests {

    @TempDir
    Path folder;

    static Stream<String> samples() {
        return Samples.all().keySet().stream();
    }

    /** Also into target/report-samples, where one can look at them. */
    @ParameterizedTest
    @MethodSource("samples")
    void writesAWholePageForEveryKindOfRun(String sample) throws IOException {
        Path run = Samples.all().get(sample).write(Path.of("target", "report-samples"), sample);
        Report.write(run);
        String page = Files.readString(run.resolve("report.html"));

        assertThat(page).startsWith("<!doctype html>").endsWith("</html>\n");
        assertThat(withoutScripts(page)).doesNotContain("{{", "NaN", "Infinity", "null", "Optional");
        JsonNode charts = charts(page);
        assertThat(charts.toString()).doesNotContain("NaN", "Infinity");
        charts.propertyNames().forEach(id -> assertThat(page).contains("data-chart=\"" + id + "\""));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void loadsNothing(String sample) throws IOException {
        String page = withoutScripts(page(Samples.all().get(sample)));

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
                        "open",
                        "crossover",
                        "spread",
                        "raw",
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
                .contains("12 requests failed: 504 &lt;b&gt;Gateway&lt;/b&gt; Timeout (rounds 1, 2 and 3)")
                .doesNotContain("<b>Gateway</b>");
    }

    @Test
    void showsWarningsAndWhyARawLimitIsNotValid() throws IOException {
        String page = page(SampleResults.quick(1)
                .put(
                        "rawLimits",
                        List.of(Map.of("transport", "nats", "valid", false, "reasons", List.of("3 replies lost"))))
                .cells(cells -> ((List<?>) Objects.requireNonNull(cells.get(0).get("rounds")))
                        .forEach(round -> warn(round, "other programs used 9 % of the processors"))));

        assertThat(page)
                .contains("other programs used 9&nbsp;% of the processors (rounds 1, 2 and 3)")
                .contains("is not valid: 3 replies lost.");
    }

    @SuppressWarnings("unchecked")
    private static void warn(Object round, String warning) {
        ((Map<String, Object>) round).put("warnings", List.of(warning));
    }

    @Test
    void saysThatARunWasInterrupted() throws IOException {
        assertThat(page(Samples.all().get("interrupted"))).contains("<b>Interrupted.</b>");
        assertThat(page(SampleResults.quick(1))).doesNotContain("<b>Interrupted.</b>");
    }

    @Test
    void saysThatCountsDoNotAgree() throws IOException {
        assertThat(page(SampleResults.quick(1)
                        .put("counts", Map.of("generatorCalls", Map.of("nats", 5), "agree", false))))
                .containsPattern("do not agree: generatorCalls\\.<b[^>]*>nats</b> 5\\.");
    }

    @Test
    void linksToGatlingsPagesInTheFolderOnly() throws IOException {
        String page = page(SampleResults.quick(1)
                .put(
                        "gatlingReports",
                        List.of("gatling/a/index.html", "javascript:alert(1)", "https://example.org/", "/etc")));

        assertThat(page)
                .contains("<a href=\"gatling/a/index.html\">a</a>")
                .doesNotContain("javascript:alert", "example.org", "\"/etc\"");
    }

    @Test
    void cannotBeBrokenOutOf() throws IOException {
        String page = page(SampleResults.quick(1).put("name", "</script><script>alert(1)</script>"));

        assertThat(page).doesNotContain("<script>alert(1)");
    }

    @Test
    void coloursBySortedNameOfAllKnownTransports() throws IOException {
        Path run = SampleResults.of("one", 1, SampleResults.NATS)
                .closed(List.of(1), List.of(1))
                .environment("settings/transports/aaa", Map.of("kind", "memory", "settings", Map.of()))
                .write(folder, "run");
        Report.write(run);

        assertThat(charts(Files.readString(run.resolve("report.html")))
                        .at("/cpu-1/rows/0/colour")
                        .intValue())
                .isEqualTo(2);
    }

    @Test
    void refusesAnotherSchema() throws IOException {
        Path run = SampleResults.quick(1).put("schema", "chatterbox-results/2").write(folder, "run");

        assertThatThrownBy(() -> Report.write(run))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("chatterbox-results/2", "chatterbox-results/1", "measure again");
    }

    @Test
    void refusesWhatIsNoResult() throws IOException {
        Files.writeString(folder.resolve("results.json"), "{\"cells\":[");
        assertThatThrownBy(() -> Report.write(folder))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("is not readable JSON");

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
