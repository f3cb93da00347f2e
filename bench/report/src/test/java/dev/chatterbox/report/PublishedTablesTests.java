package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedTablesTests {

    @TempDir
    Path root;

    @BeforeEach
    void publishARun() throws IOException {
        publish(SampleRun.transports(1));
    }

    private void publish(SampleRun sample) throws IOException {
        sample.write(root, "run");
        Path folder = Files.createDirectories(root.resolve(PublishedTables.FOLDER));
        Files.write(folder.resolve("headline.json.gz"), ResultsFile.compressed(ResultsFile.read(root.resolve("run"))));
        Files.writeString(root.resolve("README.md"), "No table.\n");
    }

    @Test
    void ranksTheVariantsThatATableNames() throws IOException {
        String page = page("<!-- table headline: unary calls=1000 users=8; brief nats, rest -->\nold\n<!-- end -->");

        assertThat(page)
                .startsWith(
                        "Before.\n\n<!-- table headline: unary calls=1000 users=8; brief nats, rest -->\n\n| rank |")
                .containsPattern("\\| 1 \\| nats \\| \\d+\\.\\d+ \\\\\\[\\d\\S+–\\S+\\\\] \\|")
                .containsPattern("\\| 2 \\| rest \\|")
                .doesNotContain("kafka", "memory", "p99", "smallest", "old")
                .contains("[results](results/headline.json.gz)")
                .endsWith("\n<!-- end -->\n\nAfter.\n");
        assertThat(page.lines().filter(line -> !line.startsWith("|")))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }

    @Test
    void showsTheLineOfOneVariantAmongAllVariants() throws IOException {
        String page = page("<!-- table headline: unary calls=1000 users=8; variant rest -->\n<!-- end -->");

        assertThat(page)
                .as("rank, ratios to the cheapest of all variants and to the bare client")
                .containsPattern("\\| 7 \\| rest \\| .* \\| 10\\.6 \\S+ \\| 1\\.93 \\S+ \\|")
                .doesNotContain("nats", "memory");
    }

    @Test
    void marksAFigureWithACaveatAndExplainsTheMark() throws IOException {
        publish(SampleRun.transports(1).doubted("nats", "it was not warm"));
        assertThat(page("<!-- table headline: unary calls=1000 users=8; brief nats, rest -->\n<!-- end -->"))
                .containsPattern("\\|  \\| nats \\| \\d\\S+ \\S+ᵃ \\| \\d\\S+ᵃ \\|")
                .contains("\n\nᵃ nats: it was not warm.\n");
    }

    @Test
    void saysBelowATableWhatIsToBeSaidOfTheWholeRun() throws IOException {
        publish(SampleRun.transports(1).interrupted());

        for (String table : List.of(
                "table headline: unary calls=1000 users=8; brief nats, rest",
                "table headline: unary calls=1000 users=8; variant kafka",
                "pair headline: rest, nats; unary calls=1000 users=8")) {
            assertThat(page("<!-- %s -->\n<!-- end -->".formatted(table)).replace('\n', ' '))
                    .as(table)
                    .contains("[results](results/headline.json.gz). The run did not come to its end");
        }
    }

    @Test
    void showsOneWayMessagesOverAnAxis() throws IOException {
        publish(new SampleRun("queue", 12, List.of(SampleRun.NATS)).headline("queue calls=1000 users=1 topics=1,10"));

        assertThat(page("<!-- table headline: over topics -->\n<!-- end -->"))
                .contains("| variant | topics | published/s | consumed/s |")
                .containsPattern("\\| nats \\| 1 \\|")
                .containsPattern("\\| nats \\| 10 \\|");
    }

    @Test
    void comparesTwoVariantsUnderSeveralLoads() throws IOException {
        assertThat(page("<!-- pair headline: rest, nats; unary calls=1 users=1; unary calls=1000 users=8 -->\n"
                        + "<!-- end -->"))
                .contains("| rest, CPU-µs per call | nats, CPU-µs per call | rest ÷ nats")
                .containsPattern("\\| 1 call per request, 1 user \\| \\S+ \\| \\S+ \\| \\S+ \\\\\\[\\S+–\\S+\\\\] \\|")
                .containsPattern("\\| 1,000 calls per request, 8 users \\| 61\\.0 \\| 7\\.51 \\| 8\\.12 ")
                .contains("[results](results/headline.json.gz)");
    }

    @Test
    void showsAChartAndKnowsWhenItsPictureIsStale() throws IOException {
        String chart = """
                <!-- chart headline docs/calls.svg
                variants: rest, nats
                full load: unary calls=1,10,100 users=25
                -->
                <!-- end -->""";
        Path page = root.resolve("docs/page.md");
        Path picture = root.resolve("docs/calls.svg");
        String text = page(chart);
        Files.writeString(page, text);

        assertThat(text).containsPattern("!\\[.* for rest and nats; full load]\\(calls.svg\\)");
        assertThat(stale()).containsExactly("docs/calls.svg");
        String svg = new PublishedTables(root).files().get(picture);
        Files.writeString(picture, svg);
        assertThat(stale()).isEmpty();
        Files.writeString(picture, svg.replace("</tspan> ", "</tspan> 1"));
        assertThat(stale()).containsExactly("docs/calls.svg");
    }

    @Test
    void knowsWhichPagesAreStale() throws IOException {
        Path page = root.resolve("docs/page.md");
        String text = page("<!-- table headline: unary calls=1000 users=8; variant kafka -->\n<!-- end -->");

        assertThat(stale()).containsExactly("docs/page.md");
        Files.writeString(page, text);
        assertThat(stale()).isEmpty();
        Files.writeString(page, text.replaceFirst("\\d\\.\\d", "9.9"));
        assertThat(stale()).containsExactly("docs/page.md");
    }

    @Test
    void saysWhatATableNamesThatWasNotMeasured() {
        for (String wrong : new String[] {
            "missing: unary calls=1000 users=8; variant nats",
            "headline: over pigeons",
            "headline: unary calls=3 users=3; variant nats",
            "headline: calls=x; variant nats",
            "headline: unary calls=1000 users=8; brief nats, pigeon",
            "headline: kafka"
        }) {
            assertThatThrownBy(() -> page("<!-- table " + wrong + " -->\n<!-- end -->"))
                    .as(wrong)
                    .isInstanceOf(ResultsException.class)
                    .hasMessageContaining("page.md");
        }
        assertThatThrownBy(() -> page("<!-- pair headline: pigeon, nats; unary calls=1 users=1 -->\n<!-- end -->"))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("pigeon");
    }

    private String page(String table) throws IOException {
        Path page = root.resolve("docs/page.md");
        Files.writeString(page, "Before.\n\n" + table + "\n\nAfter.\n");
        return Objects.requireNonNull(new PublishedTables(root).files().get(page));
    }

    /** The pages and pictures that are not what the results say. */
    private List<String> stale() throws IOException {
        List<String> stale = new ArrayList<>();
        for (Map.Entry<Path, String> file : new PublishedTables(root).files().entrySet()) {
            if (!Files.exists(file.getKey()) || !Files.readString(file.getKey()).equals(file.getValue())) {
                stale.add(root.relativize(file.getKey()).toString());
            }
        }
        return stale;
    }
}
