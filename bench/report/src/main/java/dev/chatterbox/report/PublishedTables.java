package dev.chatterbox.report;

import dev.chatterbox.report.CallsChart.Load;
import dev.chatterbox.report.claims.Claim;
import dev.chatterbox.report.tables.Table;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.results.Ranking;
import dev.chatterbox.results.Ranking.Place;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.Sums;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the tables and charts of Markdown pages from results in the repository, so that no figure is typed by hand. A
 * table names the file in docs/results, and one of five: a workload with the rows to rank, the same with few columns, a
 * workload with the one row whose line it shows among all rows, a row whose workloads are the lines, or an axis over
 * which all rows carried one-way messages. A pair is a table of two rows under several workloads. A chart names the
 * picture, its rows, and a title with workloads for each panel.
 *
 * <pre>
 * &lt;!-- table headline: unary calls=1000 users=8; rows nats, rest --&gt;
 * &lt;!-- table headline: unary calls=1000 users=8; brief nats, rest --&gt;
 * &lt;!-- table headline: unary calls=1000 users=8; row nats --&gt;
 * &lt;!-- table headline: nats --&gt;
 * &lt;!-- table topics: over topics --&gt;
 * &lt;!-- pair headline: rest, nats; unary calls=1 users=1; unary calls=1000 users=8 --&gt;
 * &lt;!-- chart headline docs/pictures/calls.svg
 * rows: rest, nats
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

    private static final Pattern TABLE =
            Pattern.compile("(?s)<!-- table (\\S+): ([^;>]*?)(?:; (rows?|brief) ([^>]*?))? -->\\n(.*?)<!-- end -->");

    private static final Pattern PAIR =
            Pattern.compile("(?s)<!-- pair (\\S+): (\\S+), (\\S+); ([^>]*?) -->\\n(.*?)<!-- end -->");

    private static final Pattern CHART =
            Pattern.compile("(?s)<!-- chart (\\S+) (\\S+)\\nrows: ([^\\n]*)\\n([^>]*?)\\n-->\\n(.*?)<!-- end -->");

    private static final Pattern CLAIMS = Pattern.compile("(?s)<!-- claims -->\\n(.*?)<!-- end -->");

    private static final String OVER = "over ";

    private final Path root;
    private final Map<String, MeasuredRun> runs = new HashMap<>();

    /** @param root the root of the checkout */
    public PublishedTables(Path root) {
        this.root = root;
    }

    /** The pages that may have such tables. */
    public List<Path> pages() {
        try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            return Stream.concat(Stream.of(root.resolve("README.md")), docs.sorted())
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the text of a page with its tables made anew.
     *
     * @throws ResultsException a table names a file, a workload or a row that is not there
     */
    public String render(Path page) {
        String withClaims = CLAIMS.matcher(text(page))
                .replaceAll(found ->
                        Matcher.quoteReplacement("<!-- claims -->\n\n" + claims().markdown() + "\n<!-- end -->"));
        String withTables = rendered(page, TABLE, withClaims, this::table);
        return rendered(page, CHART, rendered(page, PAIR, withTables, this::pair), this::chart);
    }

    /** Puts what {@code made} makes between the marker, of which the last group is what there was, and its end. */
    private static String rendered(Path page, Pattern marker, String text, BiFunction<Path, MatchResult, String> made) {
        return marker.matcher(text).replaceAll(found -> {
            String begin = found.group().substring(0, found.start(found.groupCount()) - found.start());
            try {
                return Matcher.quoteReplacement(begin + "\n" + made.apply(page, found) + "<!-- end -->");
            } catch (ResultsException | WorkloadException e) {
                throw new ResultsException("%s: %s %s".formatted(page, begin.strip(), e.getMessage()));
            }
        });
    }

    /** The pictures that pages name, as SVG by their files. */
    public Map<Path, String> pictures() {
        Map<Path, String> pictures = new TreeMap<>();
        for (Path page : pages()) {
            CHART.matcher(text(page)).results().forEach(found -> {
                List<Load> loads = found.group(4)
                        .lines()
                        .map(line -> line.split(": ", 2))
                        .map(load -> new Load(load[0], Workload.parseAll(load[1])))
                        .toList();
                pictures.put(
                        root.resolve(found.group(2)), CallsChart.svg(run(found.group(1)), rows(found.group(3)), loads));
            });
        }
        return pictures;
    }

    /** Every published claim, by the runs of claims in the repository. */
    private ClaimsPage claims() {
        List<Claim> claims = Claim.read(root.resolve("bench/workloads/claims"));
        Map<String, Results> measured = new TreeMap<>();
        for (Claim claim : claims) {
            claim.trial().map(trial -> trial.run()).ifPresent(run -> {
                Path file = root.resolve(FOLDER).resolve(run + ".json.gz");
                if (Files.exists(file)) {
                    measured.computeIfAbsent(run, name -> ResultsFile.read(file));
                }
            });
        }
        return new ClaimsPage(claims, measured);
    }

    private String table(Path page, MatchResult found) {
        MeasuredRun run = run(found.group(1));
        String of = found.group(2);
        List<String> rows = found.group(4) == null ? List.of() : rows(found.group(4));
        boolean line = "row".equals(found.group(3));
        boolean brief = "brief".equals(found.group(3));
        List<String> parts = new ArrayList<>();
        if (of.contains("=")) {
            Ranking ranking = ranking(run, Workload.parse(of), rows, line);
            List<Place> places = ranking.places().stream()
                    .filter(place -> !line && !brief || rows.contains(place.row()))
                    .toList();
            parts.add(TableText.markdown(brief ? brief(places) : table(run, places)));
            if (!line && !brief) {
                Findings.notes(ranking).forEach(note -> parts.add(paragraph(TableText.escaped(note))));
            }
        } else {
            parts.add(TableText.markdown(of.startsWith(OVER) ? over(run, of) : workloads(run, of)));
        }
        parts.add(source(page, found.group(1), line || brief ? shortMeta(run) : run.meta()));
        return String.join("\n", parts) + "\n";
    }

    /** Two rows under several workloads, and their ratio. */
    private String pair(Path page, MatchResult found) {
        MeasuredRun run = run(found.group(1));
        String above = found.group(2);
        String below = found.group(3);
        List<Workload> workloads = Workload.parseAll(found.group(4));
        for (Workload workload : workloads) {
            if (sums(run, above, workload).isEmpty()) {
                throw new ResultsException("names what was not measured: " + above);
            }
        }
        Function<Workload, Estimate> ratio = workload -> sums(run, above, workload)
                .flatMap(one ->
                        sums(run, below, workload).map(other -> run.estimator().ratio(one, other)))
                .orElse(Estimate.NONE);
        Table table = Table.<Workload>of("")
                .text("load", Axis::text)
                .figure(above + ", CPU-µs a call", workload -> cost(run, above, workload), Numbers::digits)
                .figure(below + ", CPU-µs a call", workload -> cost(run, below, workload), Numbers::digits)
                .printed("%s ÷ %s [99 %%]".formatted(above, below), ratio, workload -> {
                    Estimate known = ratio.apply(workload);
                    return known == Estimate.NONE ? "" : Numbers.withInterval(known, Numbers::ratio);
                })
                .table(workloads);
        return TableText.markdown(table) + "\n" + source(page, found.group(1), shortMeta(run)) + "\n";
    }

    private static Optional<Sums> sums(MeasuredRun run, String row, Workload workload) {
        return run.results().cell(row, workload, null).map(Sums::cpu);
    }

    private static Estimate cost(MeasuredRun run, String row, Workload workload) {
        return sums(run, row, workload).map(run.estimator()::figure).orElse(Estimate.NONE);
    }

    private String chart(Path page, MatchResult found) {
        String label = "CPU time per call over calls per request, with 99 %% intervals, for %s; %s"
                .formatted(
                        Numbers.listed(rows(found.group(3))),
                        found.group(4)
                                .lines()
                                .map(line -> line.split(": ", 2)[0])
                                .collect(Collectors.joining("; ")));
        return "![%s](%s)\n\n%s\n"
                .formatted(
                        label,
                        link(page, root.resolve(found.group(2))),
                        source(page, found.group(1), shortMeta(run(found.group(1)))));
    }

    private static List<String> rows(String names) {
        return List.of(names.strip().split(",\\s*"));
    }

    private MeasuredRun run(String name) {
        return runs.computeIfAbsent(name, none -> MeasuredRun.read(file(name)));
    }

    private Path file(String run) {
        return root.resolve(FOLDER).resolve(run + ".json.gz");
    }

    /** What stands below a table or a chart: from which run it comes, and what is to be said of the whole run. */
    private String source(Path page, String run, String meta) {
        return paragraph(Stream.concat(
                        Stream.of("Measured: %s: [results](%s)."
                                .formatted(TableText.escaped(meta), link(page, file(run)))),
                        Findings.doubtsOfAll(run(run).results()).stream().map(TableText::escaped))
                .collect(Collectors.joining(" ")));
    }

    private static String shortMeta(MeasuredRun run) {
        return Numbers.joined(
                " · ",
                run.results().name(),
                run.started(),
                Numbers.counted(run.results().starts(), "start"));
    }

    private static Path link(Path page, Path file) {
        Path folder = page.toAbsolutePath().getParent();
        return folder == null ? file : folder.relativize(file.toAbsolutePath());
    }

    private static String paragraph(String text) {
        return TableText.wrapped("", text).stream().map(String::strip).collect(Collectors.joining("\n", "", "\n"));
    }

    /** @param all whether the named rows are ranked among all that were measured */
    private static Ranking ranking(MeasuredRun run, Workload workload, List<String> rows, boolean all) {
        List<Cell> cells = run.results().rows(workload).stream()
                .filter(cell -> all || rows.isEmpty() || rows.contains(cell.row()) || cell.isZeroLine())
                .toList();
        List<String> missing = rows.stream()
                .filter(row -> cells.stream().noneMatch(cell -> cell.row().equals(row)))
                .toList();
        if (cells.isEmpty() || !missing.isEmpty()) {
            throw new ResultsException("names what was not measured: " + Numbers.listed(missing));
        }
        return Ranking.of(workload, cells, run.estimator());
    }

    private static Table brief(List<Place> places) {
        return RunTables.withInterval(costs(ranked()), "÷ the cheapest", Place::toCheapest, Numbers::ratio)
                .figure("calls/s", PublishedTables::callsPerSecond, Numbers::rate)
                .table(places);
    }

    private static Table.Description<Place> ranked() {
        return Table.<Place>of("")
                .caveats(place -> place.cell().caveats())
                .number("rank", place -> place.rank() == 0 ? Double.NaN : place.rank(), Numbers::whole)
                .text("row", Place::row);
    }

    private static Table table(MeasuredRun run, List<Place> places) {
        RunTables tables = new RunTables(run);
        Table.Description<Place> table = figures(ranked());
        RunTables.withInterval(table, "÷ the cheapest", Place::toCheapest, Numbers::ratio);
        RunTables.withInterval(table, "÷ bare", place -> tables.toBare(place.cell()), Numbers::ratio);
        return table.table(places);
    }

    /** The table of a row over the workloads of the run. */
    private static Table workloads(MeasuredRun run, String row) {
        List<Place> places = run.rankings().stream()
                .flatMap(ranking -> ranking.places().stream())
                .filter(place -> place.row().equals(row))
                .toList();
        if (places.isEmpty()) {
            throw new ResultsException("names what was not measured: " + row);
        }
        return figures(Table.<Place>of("")
                        .text("workload", place -> Axis.text(place.cell().workload()))
                        .caveats(place -> place.cell().caveats())
                        .numbers("rank", place -> place.rank() == 0 ? "not ranked" : Numbers.whole(place.rank())))
                .table(places);
    }

    private static Table.Description<Place> costs(Table.Description<Place> table) {
        return RunTables.withInterval(table, "CPU-µs a call [99 %]", Place::cost, Numbers::digits)
                .figure("price of the transport", Place::price, Numbers::digits);
    }

    private static Table.Description<Place> figures(Table.Description<Place> table) {
        RunTables.withInterval(costs(table), "calls/s", PublishedTables::callsPerSecond, Numbers::rate);
        RunTables.percentile(table, "p50", Place::cell, Latency::p50);
        return RunTables.percentile(table, "p99", Place::cell, Latency::p99);
    }

    /** The table of all rows over an axis of one-way messages: a line for each cell. */
    private static Table over(MeasuredRun run, String of) {
        Axis axis = Stream.of(Axis.values())
                .filter(one -> one.column().equals(of.substring(OVER.length())))
                .findFirst()
                .orElseThrow(() -> new ResultsException("names no axis: " + of));
        Table.Description<Cell> table = Table.<Cell>of("")
                .text("row", Cell::row)
                .caveats(cell -> List.of())
                .number(axis.column(), cell -> axis.number(cell.workload()), Numbers::whole);
        queue(table, "published/s", QueueFigures::publishedPerSecond, Numbers::rate);
        queue(table, "consumed/s", QueueFigures::consumedPerSecond, Numbers::rate);
        queue(table, "p99 of acknowledgements", queue -> queue.acknowledge().p99(), Numbers::seconds);
        RunTables.withInterval(
                table, "CPU-µs a message [99 %]", cell -> run.estimator().figure(Sums.cpu(cell)), Numbers::digits);
        queue(table, "made in", QueueFigures::makeSeconds, Numbers::seconds);
        return table.table(run.results().cells().stream()
                .filter(cell -> cell.queue() != null)
                .sorted(Comparator.comparing(Cell::row).thenComparing(cell -> axis.number(cell.workload())))
                .toList());
    }

    private static void queue(
            Table.Description<Cell> table,
            String title,
            Function<QueueFigures, @Nullable Double> figure,
            DoubleFunction<String> text) {
        table.figure(title, cell -> cell.figure(figure.apply(Objects.requireNonNull(cell.queue()))), text);
    }

    /** NaN for an open load: its rate was given and is no throughput of the row. */
    private static Estimate callsPerSecond(Place place) {
        Workload workload = place.cell().workload();
        return workload.isOpen() ? Estimate.NONE : place.throughput().times(workload.calls());
    }

    /** The pages and pictures that are not what the results say, as paths below the root. */
    public List<String> stale() {
        Stream<Path> pages = pages().stream().filter(page -> !render(page).equals(text(page)));
        Stream<Path> pictures = pictures().entrySet().stream()
                .filter(picture ->
                        !Files.exists(picture.getKey()) || !picture.getValue().equals(text(picture.getKey())))
                .map(Map.Entry::getKey);
        return Stream.concat(pages, pictures)
                .map(file -> root.relativize(file).toString())
                .toList();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
