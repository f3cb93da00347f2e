package dev.chatterbox.report;

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
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the tables of Markdown pages from results in the repository, so that nobody types a figure by hand. A page
 * names the file in docs/results, and one of five: a workload with the rows to rank, the same with few columns, a workload
 * with the one row whose line it shows among all rows, a row whose workloads are the lines, or an axis over which all rows
 * carried one-way messages.
 *
 * <pre>
 * &lt;!-- table headline: unary calls=1000 users=8; rows nats, rest --&gt;
 * &lt;!-- table headline: unary calls=1000 users=8; brief nats, rest --&gt;
 * &lt;!-- table headline: unary calls=1000 users=8; row nats --&gt;
 * &lt;!-- table headline: nats --&gt;
 * &lt;!-- table topics: over topics --&gt;
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
        String text;
        try {
            text = Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String withClaims = CLAIMS.matcher(text)
                .replaceAll(found ->
                        Matcher.quoteReplacement("<!-- claims -->\n\n" + claims().markdown() + "\n<!-- end -->"));
        return TABLE.matcher(withClaims).replaceAll(found -> {
            String begin = found.group().substring(0, found.start(5) - found.start());
            try {
                return Matcher.quoteReplacement(begin + "\n" + table(page, found) + "<!-- end -->");
            } catch (ResultsException | WorkloadException e) {
                throw new ResultsException("%s: %s %s".formatted(page, begin.strip(), e.getMessage()));
            }
        });
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
        Path file = root.resolve(FOLDER).resolve(found.group(1) + ".json.gz");
        MeasuredRun run = runs.computeIfAbsent(found.group(1), name -> MeasuredRun.read(file));
        String of = found.group(2);
        List<String> rows =
                found.group(4) == null ? List.of() : List.of(found.group(4).split(",\\s*"));
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
        Path folder = page.toAbsolutePath().getParent();
        Path link = folder == null ? file : folder.relativize(file.toAbsolutePath());
        String meta = line || brief
                ? Numbers.joined(
                        " · ",
                        run.results().name(),
                        run.started(),
                        Numbers.counted(run.results().starts(), "start"))
                : run.meta();
        parts.add(paragraph(Stream.concat(
                        Stream.of("Measured: %s: [results](%s).".formatted(TableText.escaped(meta), link)),
                        Findings.doubtsOfAll(run.results()).stream().map(TableText::escaped))
                .collect(Collectors.joining(" "))));
        return String.join("\n", parts) + "\n";
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

    /** The pages whose tables are not what the results say, as paths below the root. */
    public List<String> stale() {
        return pages().stream()
                .filter(page -> {
                    try {
                        return !render(page).equals(Files.readString(page));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .map(page -> root.relativize(page).toString())
                .toList();
    }
}
