package dev.chatterbox.report;

import dev.chatterbox.report.CallsChart.Load;
import dev.chatterbox.report.claims.Claim;
import dev.chatterbox.report.tables.Table;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.results.Ranking;
import dev.chatterbox.results.Ranking.Place;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the tables and charts of Markdown pages from results in the repository, so that no figure is typed by hand. A
 * table names the file in docs/results, and one of three: a workload with the variants to rank, a workload with the one
 * variant whose line it shows among all variants, or a dimension over which all variants carried one-way messages. A
 * pair is a table of two variants under several workloads. A chart names the picture, its variants, and a title with
 * workloads for each panel.
 *
 * <pre>
 * &lt;!-- table headline: unary calls=1000 users=8; brief nats, rest --&gt;
 * &lt;!-- table headline: unary calls=1000 users=8; variant nats --&gt;
 * &lt;!-- table topics: over topics --&gt;
 * &lt;!-- pair headline: rest, nats; unary calls=1 users=1; unary calls=1000 users=8 --&gt;
 * &lt;!-- chart headline docs/pictures/calls.svg
 * variants: rest, nats
 * full load: unary calls=1,10 users=25; unary calls=1000 users=8
 * --&gt;
 * ...
 * &lt;!-- end --&gt;
 * </pre>
 *
 * <p>Between {@code <!-- claims -->} and {@code <!-- end -->} stand all published claims, with what our runs say.
 */
public final class PublishedTables {

    public static final String FOLDER = "docs/results";

    private static final Pattern MARKER =
            Pattern.compile("(?s)(<!-- (table|pair|chart|claims) (.*?)-->\\n)(.*?)<!-- end -->");

    private static final Pattern RANKING = Pattern.compile("(?s)(\\S+): ([^;]+); (variant|brief) (.*)");
    private static final Pattern OVER = Pattern.compile("(\\S+): over (\\S+)");
    private static final Pattern PAIR = Pattern.compile("(?s)(\\S+): (\\S+), (\\S+); (.*)");
    private static final Pattern CHART = Pattern.compile("(?s)(\\S+) (\\S+)\\nvariants: ([^\\n]*)\\n(.*)");

    private final Path root;
    private final Map<String, MeasuredRun> runs = new HashMap<>();

    /** @param root the root of the checkout */
    public PublishedTables(Path root) {
        this.root = root;
    }

    /**
     * The pages, and the pictures that they name, as the results make them.
     *
     * @throws ResultsException a table names a file, a workload or a variant that is not there, or cannot be understood
     */
    public Map<Path, String> files() throws IOException {
        try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            Map<Path, String> files = new TreeMap<>();
            for (Path page : Stream.concat(Stream.of(root.resolve("README.md")), docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList()) {
                files.put(page, render(page, Files.readString(page), files));
            }
            return files;
        }
    }

    /** Returns the text of a page with its tables made again, and adds its pictures. */
    private String render(Path page, String text, Map<Path, String> pictures) {
        return MARKER.matcher(text).replaceAll(found -> {
            String marker = found.group(1);
            try {
                String block = block(page, found.group(2), found.group(3).strip(), pictures);
                return Matcher.quoteReplacement(marker + "\n" + block + "\n<!-- end -->");
            } catch (ResultsException | WorkloadException e) {
                throw new ResultsException("%s: %s %s".formatted(page, marker.strip(), e.getMessage()));
            }
        });
    }

    private String block(Path page, String kind, String text, Map<Path, String> pictures) {
        return switch (kind) {
            case "claims" -> claims().markdown();
            case "chart" -> chart(page, parsed(CHART, text), pictures);
            case "pair" -> pair(page, parsed(PAIR, text));
            default ->
                OVER.matcher(text).matches() ? over(page, parsed(OVER, text)) : ranking(page, parsed(RANKING, text));
        };
    }

    private static MatchResult parsed(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new ResultsException("is not understood.");
        }
        return matcher;
    }

    private String chart(Path page, MatchResult chart, Map<Path, String> pictures) {
        MeasuredRun run = run(chart.group(1));
        Path picture = root.resolve(chart.group(2));
        List<String> variants = variants(chart.group(3));
        List<Load> loads = chart.group(4)
                .lines()
                .map(line -> line.split(": ", 2))
                .map(load -> new Load(load[0], Workload.parseAll(load[1])))
                .toList();
        pictures.put(picture, CallsChart.svg(run, variants, loads));
        return "![CPU time per call over calls per request, with 99 %% intervals, for %s; %s](%s)\n\n%s"
                .formatted(
                        Numbers.listed(variants),
                        loads.stream().map(Load::title).collect(Collectors.joining("; ")),
                        link(page, picture),
                        source(page, chart.group(1), run.shortMeta()));
    }

    /** Every published claim, by the runs of claims in the repository. */
    private ClaimsPage claims() {
        List<Claim> claims = Claim.read(root.resolve("bench/workloads/claims"));
        Map<String, Results> measured = claims.stream()
                .flatMap(claim -> claim.trial().stream())
                .map(Claim.Trial::run)
                .distinct()
                .filter(run -> Files.exists(file(run)))
                .collect(Collectors.toMap(
                        run -> run, run -> ResultsFile.read(file(run)), (one, same) -> one, TreeMap::new));
        return new ClaimsPage(claims, measured);
    }

    /** Variants under one workload; a single variant is ranked among all that were measured. */
    private String ranking(Path page, MatchResult found) {
        MeasuredRun run = run(found.group(1));
        Workload workload = Workload.parse(found.group(2));
        boolean single = found.group(3).equals("variant");
        List<String> variants = variants(found.group(4));
        variants.forEach(variant -> run.cell(variant, workload));
        List<Cell> cells = run.results().variants(workload).stream()
                .filter(cell -> single || variants.contains(cell.variant()) || cell.isZeroLine())
                .toList();
        List<Place> places = Ranking.of(workload, cells, Estimator.COMMITTED).places().stream()
                .filter(place -> variants.contains(place.variant()))
                .toList();
        return table(page, found, run.shortMeta(), (single ? full(run) : brief()).table(places));
    }

    /** Two variants under several workloads, and their ratio. */
    private String pair(Path page, MatchResult found) {
        MeasuredRun run = run(found.group(1));
        RunTables tables = new RunTables(run);
        String above = found.group(2);
        String below = found.group(3);
        List<Cell> cells = Workload.parseAll(found.group(4)).stream()
                .map(workload -> run.cell(above, workload))
                .toList();
        Table.Description<Cell> table = Table.<Cell>of("")
                .text("load", cell -> WorkloadText.of(cell.workload()))
                .figure(above + ", CPU-µs per call", run::cost, Numbers::digits)
                .figure(below + ", CPU-µs per call", cell -> cost(run, below, cell.workload()), Numbers::digits)
                .withInterval(
                        "%s ÷ %s [99 %%]".formatted(above, below), cell -> tables.ratio(cell, below), Numbers::ratio);
        return table(page, found, run.shortMeta(), table.table(cells));
    }

    private static Estimate cost(MeasuredRun run, String variant, Workload workload) {
        return run.results().cell(variant, workload, null).map(run::cost).orElse(Estimate.NONE);
    }

    private static List<String> variants(String names) {
        return List.of(names.strip().split(",\\s*"));
    }

    private MeasuredRun run(String name) {
        return runs.computeIfAbsent(name, none -> MeasuredRun.read(file(name)));
    }

    private Path file(String run) {
        return root.resolve(FOLDER).resolve(run + ".json.gz");
    }

    private String table(Path page, MatchResult found, String meta, Table table) {
        return TableText.markdown(table) + "\n" + source(page, found.group(1), meta);
    }

    /** What stands below a table or a chart: from which run it comes, and what is to be said of the whole run. */
    private String source(Path page, String run, String meta) {
        String measured = "Measured: %s: [results](%s).".formatted(TableText.escaped(meta), link(page, file(run)));
        return TableText.paragraph(Stream.concat(
                        Stream.of(measured),
                        Findings.doubtsOfAll(run(run).results()).stream().map(TableText::escaped))
                .collect(Collectors.joining(" ")));
    }

    private static Path link(Path page, Path file) {
        return Objects.requireNonNull(page.toAbsolutePath().getParent()).relativize(file.toAbsolutePath());
    }

    private static Table.Description<Place> brief() {
        return costs().withInterval("÷ the lowest", Place::toCheapest, Numbers::ratio)
                .figure("calls/s", PublishedTables::callsPerSecond, Numbers::rate);
    }

    private static Table.Description<Place> full(MeasuredRun run) {
        Table.Description<Place> table =
                costs().withInterval("calls/s", PublishedTables::callsPerSecond, Numbers::rate);
        RunTables.percentile(table, "p50", Latency::p50);
        return RunTables.percentile(table, "p99", Latency::p99)
                .withInterval("÷ the lowest", Place::toCheapest, Numbers::ratio)
                .withInterval("÷ bare", new RunTables(run)::toBare, Numbers::ratio);
    }

    private static Table.Description<Place> costs() {
        return RunTables.ranks("")
                .text("variant", Place::variant)
                .text("tie with", place -> String.join(", ", place.ties()))
                .withInterval("CPU-µs per call [99 %]", Place::cost, Numbers::digits)
                .figure("price of the transport", Place::price, Numbers::digits);
    }

    /** The table of all variants over a dimension of one-way messages: a line for each cell. */
    private String over(Path page, MatchResult found) {
        MeasuredRun run = run(found.group(1));
        Dimension axis = Stream.of(Dimension.values())
                .filter(dimension -> dimension.key().equals(found.group(2)))
                .findFirst()
                .orElseThrow(() -> new ResultsException("names no dimension: " + found.group(2)));
        Table.Description<Cell> table = Table.<Cell>of("")
                .text("variant", Cell::variant)
                .caveats(cell -> List.of())
                .number(axis.key(), cell -> cell.workload().get(axis), Numbers::whole);
        QueueTables.figure(table, "published/s", QueueFigures::publishedPerSecond, Numbers::rate);
        QueueTables.figure(table, "consumed/s", QueueFigures::consumedPerSecond, Numbers::rate);
        QueueTables.figure(
                table, "p99 of acknowledgements", queue -> queue.acknowledge().p99(), Numbers::seconds);
        table.withInterval("CPU-µs per message [99 %]", run::cost, Numbers::digits);
        QueueTables.figure(table, "made in", QueueFigures::makeSeconds, Numbers::seconds);
        List<Cell> cells = run.results().cells().stream()
                .filter(cell -> cell.queue() != null)
                .sorted(Comparator.comparing(Cell::variant)
                        .thenComparing(cell -> cell.workload().get(axis)))
                .toList();
        return table(page, found, run.meta(), table.table(cells));
    }

    /** NaN for an open load: its rate was given and is no throughput of the variant. */
    private static Estimate callsPerSecond(Place place) {
        Workload workload = place.cell().workload();
        return workload.isOpen() ? Estimate.NONE : place.throughput().times(workload.calls());
    }
}
