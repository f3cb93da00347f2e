package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.chatterbox.comparison.Preset;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Selection;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/** Checks the pages against the program: links have a target, and commands exist with their options. */
class DocsTests {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Map<String, String> ENVIRONMENT = Map.of("CHATTERBOX_HOME", ROOT.toString());

    private static final Set<String> IN_A_CHECKOUT_WITH_RESULTS =
            Set.of("headline.json.gz", "transports.json.gz", "ladder.json.gz");

    private static final Pattern FENCE = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
    private static final Pattern INLINE_CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> top = Files.list(ROOT)) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsToAPageAndAHeading(Path page) throws IOException {
        for (String link : all(LINK, withoutFences(page))) {
            if (link.startsWith("http")) {
                continue;
            }
            String[] parts = link.split("#", 2);
            Path target =
                    parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
            assertThat(target).as("%s of %s", link, page).exists();
            if (parts.length == 2) {
                assertThat(anchors(target)).as("%s of %s", link, page).contains(parts[1]);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandIsOneThatThereIs(Path page) throws IOException {
        commands(page).forEach(this::requireParsed);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyYamlCanBeRead(Path page) throws IOException {
        fences(Files.readString(page), "yaml")
                .forEach(text -> new Yaml().loadAll(text).forEach(Assertions::assertNotNull));
    }

    @Test
    void findsTheCommands() throws IOException {
        int found = 0;
        for (Path page : pages()) {
            found += commands(page).size();
        }
        assertThat(found).isGreaterThan(60);
        assertThatCode(() -> requireParsed("compare --preset quick")).doesNotThrowAnyException();
        for (String wrong : List.of(
                "compare --rounds 3",
                "compare --preset slow",
                "compare --workload 'calls=1'",
                "up --transports pigeon",
                "halt")) {
            assertThatCode(() -> requireParsed(wrong)).as(wrong).isInstanceOf(Throwable.class);
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void noLineOfProseIsTooLong(Path page) throws IOException {
        assertThat(withoutFences(page).lines())
                .filteredOn(line -> !line.startsWith("|") && !line.contains("]("))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }

    @Test
    void theReadmeIsShort() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        assertThat(readme.lines().count()).isLessThanOrEqualTo(90);
        assertThat(readme.split("\\s+").length).isLessThanOrEqualTo(1000);
    }

    @Test
    void everyTableAndChartOfResultsIsWhatTheResultsSay() throws IOException {
        assertThat(ROOT.resolve("README.md")).content().contains("<!-- chart curve ");
        assertThat(ROOT.resolve("docs/calls.md")).content().contains("<!-- pair curve: ");
        assertThat(Publish.files(Repository.of(ENVIRONMENT)))
                .as("./chatterbox publish makes them")
                .allSatisfy((file, text) ->
                        assertThat(file).content(StandardCharsets.UTF_8).isEqualTo(text));
    }

    @Test
    void publishedResultsNameNoFolderOfOneMachine() throws IOException {
        for (Path file : publishedResults()) {
            assertThat(ResultsFile.write(ResultsFile.read(file)))
                    .as(file.toString())
                    .doesNotContainPattern("[= ]/[^/ ]+/");
        }
    }

    /** A run in docs/results is one that publish would take. */
    @Test
    void publishedResultsAreOfWholeRunsOfCommits() throws IOException {
        assertThat(publishedResults())
                // Its version did not say why, but the counts of all its blocks agree. The pages say that they do
                // not agree over the whole run. It stays for the table of JDK 17.
                .filteredOn(file -> !file.endsWith("headline-jdk17.json.gz"))
                // Only results folders of other runs lay in their checkout; docs/results/README.md says so.
                .filteredOn(file ->
                        !IN_A_CHECKOUT_WITH_RESULTS.contains(file.getFileName().toString()))
                .allSatisfy(file -> assertThat(ResultsFile.read(file).flaws()).isEmpty());
        for (String name : IN_A_CHECKOUT_WITH_RESULTS) {
            assertThat(ResultsFile.read(ROOT.resolve("docs/results").resolve(name))
                            .flaws())
                    .containsExactly("its checkout had changes that are in no commit");
        }
        assertThat(ResultsFile.read(ROOT.resolve("docs/results/headline-jdk17.json.gz"))
                        .flaws())
                .containsExactly("the counts of generator, aggregator and responders do not agree");
    }

    @Test
    void theReadmeCountsTheVariants() throws IOException {
        int variants = Repository.of(ENVIRONMENT).variants().names().size();

        assertThat(Files.readString(ROOT.resolve("README.md")))
                .contains("there are [%d](docs/variants.md)".formatted(variants));
    }

    /** The results in docs/results, next to which there are pages with their tables. */
    private static List<Path> publishedResults() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs/results"))) {
            return files.filter(file -> file.toString().endsWith(".json.gz")).toList();
        }
    }

    /** The arguments of the program's commands that a page shows, without placeholders such as {@code …}. */
    private static List<String> commands(Path page) throws IOException {
        String text = Files.readString(page);
        List<String> code = new ArrayList<>();
        fences(text, "sh")
                .forEach(fence -> fence.replace("\\\n", " ")
                        .lines()
                        .map(line -> line.replaceFirst("(^|\\s)#.*", ""))
                        .flatMap(line -> Stream.of(line.split("&&|;|\\|")))
                        .forEach(code::add));
        fences(text, "yaml")
                .forEach(fence -> fence.lines()
                        .map(line -> line.replaceFirst("^ *(- )?run: *", "").replaceAll("\\$\\{\\{.*?}}", "X"))
                        .forEach(code::add));
        all(INLINE_CODE, withoutFences(page)).forEach(code::add);
        return code.stream()
                .map(line -> line.replaceAll("\\s+", " ").strip())
                .map(line -> line.replaceFirst("^([A-Z_]+=\\S+ )+", ""))
                .filter(line -> line.startsWith("./chatterbox") && !line.contains("…"))
                .map(line -> line.substring("./chatterbox".length())
                        .replaceFirst(" > .*", "")
                        .strip())
                .toList();
    }

    private void requireParsed(String command) {
        String[] arguments = CommandLineTests.typed(command);
        CommandLine program = Chatterbox.commandLine(Terminal.of(ENVIRONMENT), ENVIRONMENT);
        // If a command's name stands alone, the page mentions the command and does not show how to type it.
        if (arguments.length == 1 && program.getSubcommands().containsKey(arguments[0])) {
            return;
        }
        assertThatCode(() -> program.parseArgs(arguments))
                .as("./chatterbox %s", command)
                .doesNotThrowAnyException();
        option(arguments, "--preset")
                .forEach(name -> assertThat(Preset.names(ROOT.resolve("bench/workloads/presets")))
                        .as("./chatterbox %s", command)
                        .contains(name));
        option(arguments, "--workload").forEach(Workload::parseAll);
        option(arguments, "--transports")
                .forEach(variants -> Selection.of(Repository.of(ENVIRONMENT).variants(), List.of(variants.split(","))));
    }

    private static List<String> option(String[] arguments, String name) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i + 1 < arguments.length; i++) {
            if (arguments[i].equals(name)) {
                values.add(arguments[i + 1]);
            }
        }
        return values;
    }

    static Stream<String> fences(String text, String language) {
        return FENCE.matcher(text)
                .results()
                .filter(fence -> fence.group(1).equals(language))
                .map(fence -> fence.group(2));
    }

    private static String withoutFences(Path page) throws IOException {
        return FENCE.matcher(Files.readString(page)).replaceAll("");
    }

    /** The anchors that GitHub makes from the headings of a page. */
    private static Set<String> anchors(Path page) throws IOException {
        return all(HEADING, withoutFences(page)).stream()
                .map(heading -> heading.toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }
}
