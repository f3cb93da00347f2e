package dev.chatterbox.cli;

import dev.chatterbox.comparison.Comparison;
import dev.chatterbox.comparison.ComparisonException;
import dev.chatterbox.comparison.Preset;
import dev.chatterbox.comparison.Target;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.report.Report;
import dev.chatterbox.report.TerminalTable;
import dev.chatterbox.results.Results;
import dev.chatterbox.rows.Row;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Selection;
import dev.chatterbox.stack.StackPlan;
import dev.chatterbox.stack.Testbed;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Command(
        name = "compare",
        description = {
            "Compare the transports and write a report.",
            "Uses the stack that runs, or else starts one and stops it again. Exit code 1 also if a row is not valid."
        })
final class Compare implements Callable<Integer> {

    static final String QUICK = "quick";

    // The aggregator's own (FanOutProperties).
    private static final int DEFAULT_MAX_CALLS = 10_000;
    private static final int DEFAULT_MAX_REQUESTS = 1000;

    private final Repository repository;
    private final Terminal terminal;
    private final Map<String, String> environment;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--preset",
            paramLabel = "NAME",
            description = "A file in bench/workloads/presets (default: quick).")
    private String preset = QUICK;

    @Mixin
    private final TransportsOption transports = new TransportsOption();

    @Option(names = "--calls", paramLabel = "N", split = ",", description = "Backend calls per request.")
    private List<Integer> calls = List.of();

    @Option(names = "--users", paramLabel = "N", split = ",", description = "Concurrent users (closed model).")
    private List<Integer> users = List.of();

    @Option(
            names = "--rate",
            paramLabel = "R",
            split = ",",
            description = "Requests per second (open model, in place of the closed one).")
    private List<Double> rates = List.of();

    @Option(
            names = "--exchange",
            paramLabel = "NAME",
            split = ",",
            description = "How calls travel: unary, batch, stream (default: the preset's).")
    private List<String> exchanges = List.of();

    @Option(names = "--size", paramLabel = "N", split = ",", description = "Calls in a message of a batch.")
    private List<Integer> sizes = List.of();

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            split = ",",
            description = "Carried by each call and given back, 0 to 131072.")
    private List<Integer> payloads = List.of();

    @Option(
            names = "--distance",
            paramLabel = "TIME",
            split = ",",
            description = "Round-trip time put between the processes, such as 0ms,5ms (default: the preset's).")
    private List<String> distances = List.of();

    @Option(names = "--blocks", paramLabel = "N", description = "At least so many, each with every row once.")
    private @Nullable Integer blocks;

    @Option(
            names = "--width",
            paramLabel = "PERCENT",
            description = "Ends when costs are known this well, such as 5%% (default: the preset's).")
    private @Nullable String width;

    @Option(names = "--time", paramLabel = "TIME", description = "For the blocks of a start, at the most, such as 2m.")
    private @Nullable String time;

    @Option(names = "--starts", paramLabel = "N", description = "How often the stack is started and measured.")
    private @Nullable Integer starts;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Draws the same orders of slices as another run (default: a new one).")
    private @Nullable Long seed;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The folder for the results (default: .chatterbox/results/<time>-<preset>).")
    private @Nullable Path out;

    @Option(
            names = "--port-offset",
            paramLabel = "N",
            description = "The stack whose ports are all moved by N (default: 0, or another if those are taken).")
    private @Nullable Integer offset;

    Compare(Repository repository, Terminal terminal, Map<String, String> environment) {
        this.repository = repository;
        this.terminal = terminal;
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        Preset workload = workload();
        List<String> names = transports.names.isEmpty() ? workload.rows() : transports.names;
        Selection selection = Selection.of(repository.rows(), names);
        requireExchange(workload, selection.rows());
        // Complains of ports that do not exist.
        StackPlan.of(repository.stack(offset == null ? 0 : offset), selection);
        Path folder = folder(workload.name());
        boolean created = !Files.isDirectory(folder);
        create(folder);
        try {
            return run(workload, names, folder);
        } finally {
            if (created) {
                deleteIfEmpty(folder);
            }
        }
    }

    private int run(Preset chosen, List<String> names, Path folder) throws IOException {
        Comparison comparison = null;
        try {
            int left = chosen.starts();
            while (left-- > 0 && (comparison == null || !comparison.interrupted())) {
                try (Testbed testbed = Testbed.open(
                        repository, Optional.ofNullable(offset), names, chosen.longestDistanceMillis(), terminal)) {
                    if (left > 0 && !testbed.own()) {
                        throw wrong("--starts %d needs a stack that compare starts itself: %s first."
                                .formatted(chosen.starts(), testbed.stack().command("down")));
                    }
                    Target target = testbed.target();
                    if (comparison == null) {
                        comparison = comparison(chosen, target, testbed.rows(), folder);
                    }
                    start(comparison, target);
                }
            }
            Results results = comparison.write();
            return show(results, folder) && results.valid() ? ExitCode.OK : ExitCode.FAILED;
        } catch (ComparisonException e) {
            // What could not be written is shown at least; what was measured before the failure is written.
            if (e.unwritten().isPresent()) {
                table(e.unwritten().get());
            } else if (comparison != null) {
                show(comparison.write(), folder);
            }
            throw e;
        }
    }

    private Comparison comparison(Preset chosen, Target target, List<String> rows, Path folder) throws IOException {
        JsonNode bounds = JsonMapper.shared()
                .readTree(LocalHttp.get(target.aggregator().port(), "/actuator/info")
                        .body())
                .at("/chatterbox/fanOut");
        int maxRequests = bounds.path("maxRequests").asInt(DEFAULT_MAX_REQUESTS);
        Preset preset = fitting(atDistance(chosen, target), bounds, maxRequests);
        Comparison comparison = new Comparison(
                new Comparison.Setup(
                        preset,
                        rows,
                        repository.loadTests(),
                        repository.root(),
                        folder,
                        Measurements.command(spec),
                        seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed,
                        maxRequests),
                terminal);
        terminal.line("%s: %s; at most about %s%s; the order of slices is drawn with --seed %d"
                .formatted(
                        preset.name(),
                        String.join(", ", rows),
                        Measurements.readable(comparison.seconds()),
                        preset.starts() == 1 ? "" : " for each of %d starts".formatted(preset.starts()),
                        comparison.seed()));
        comparison.leftOut(target).forEach(terminal::line);
        return comparison;
    }

    private void start(Comparison comparison, Target target) {
        try (Interruption interruption = new Interruption(() -> interrupt(comparison), terminal)) {
            comparison.start(Map.of("", target));
        }
    }

    /** Before anything is started: a row that has none of the exchanges has nothing to measure. */
    private static void requireExchange(Preset workload, List<Row> rows) {
        Set<Exchange> measured =
                workload.workloads().stream().map(Workload::exchange).collect(Collectors.toCollection(TreeSet::new));
        rows.stream()
                .filter(row -> Collections.disjoint(row.exchanges(), measured))
                .findFirst()
                .ifPresent(row -> {
                    throw wrong("The row %s has no exchange %s; it has %s."
                            .formatted(row.name(), Exchange.names(measured), Exchange.names(row.exchanges())));
                });
    }

    /** A stack that was started with a distance is measured at it, unless others are named. */
    private Preset atDistance(Preset workload, Target target) {
        return distances.isEmpty() && workload.longestDistanceMillis() == 0
                ? target.network()
                        .map(network -> workload.withDistances(List.of(network.distanceMillis())))
                        .orElse(workload)
                : workload;
    }

    /** A stack that was running already may have bounds of its own. */
    private static Preset fitting(Preset workload, JsonNode bounds, int maxRequests) {
        int maxCalls = bounds.path("maxCalls").asInt(DEFAULT_MAX_CALLS);
        workload.require(maxCalls, maxRequests);
        CallTimeout.require(
                workload.longestDistanceMillis(),
                CallTimeout.of(bounds.path("callTimeout").asString("")));
        return workload.accepted(maxCalls, maxRequests);
    }

    private void table(Results results) {
        terminal.line("");
        TerminalTable.lines(results, terminal).forEach(terminal::line);
        terminal.line("");
    }

    private boolean show(Results results, Path folder) {
        if (results.measuredNothing()) {
            terminal.line("Nothing was measured.");
            return false;
        }
        table(results);
        if (results.interrupted()) {
            terminal.line("Interrupted; this is what was measured until then.");
        }
        Report.write(folder);
        terminal.line("Report: " + folder.resolve("report.html"));
        terminal.line("Also there: results.json, results.csv, summary.md"
                + (results.gatlingReports().isEmpty() ? "" : ", Gatling's own pages in gatling/"));
        return true;
    }

    private void interrupt(Comparison comparison) {
        terminal.line("Interrupted; keeping what was measured.");
        comparison.interrupt();
    }

    private Preset workload() {
        Preset workload = Preset.read(repository.presets(), preset);
        requireDistinct("--calls", calls);
        requireDistinct("--users", users);
        requireDistinct("--rate", rates);
        requireDistinct("--exchange", exchanges);
        requireDistinct("--size", sizes);
        requireDistinct("--payload", payloads);
        requireDistinct("--distance", distances);
        if (!calls.isEmpty()) {
            workload = workload.withCalls(calls);
        }
        if (!exchanges.isEmpty() || !sizes.isEmpty()) {
            workload = workload.by(exchanges.stream().map(Workload::exchange).toList(), sizes);
        }
        if (!payloads.isEmpty()) {
            workload = workload.withPayloads(payloads);
        }
        if (!distances.isEmpty()) {
            workload = workload.withDistances(
                    distances.stream().map(Workload::distanceMillis).toList());
        }
        if (!rates.isEmpty()) {
            if (!users.isEmpty()) {
                throw wrong("--users is of the closed model and --rate of the open one: choose.");
            }
            workload = workload.withRates(rates);
        } else if (!users.isEmpty()) {
            workload = workload.withUsers(users);
        }
        try {
            workload = workload.within(
                    blocks,
                    width == null ? null : Preset.part(width),
                    time == null ? null : Preset.seconds(time),
                    starts);
        } catch (WorkloadException e) {
            throw wrong("--width or --time: " + e.getMessage());
        }
        workload.require(
                limit("CHATTERBOX_MAX_CALLS", DEFAULT_MAX_CALLS),
                limit("CHATTERBOX_MAX_REQUESTS", DEFAULT_MAX_REQUESTS));
        CallTimeout.require(workload.longestDistanceMillis(), CallTimeout.of(environment));
        return workload;
    }

    private static void requireDistinct(String option, List<?> values) {
        if (new HashSet<>(values).size() < values.size()) {
            throw wrong("%s names a value twice: %s".formatted(option, values));
        }
    }

    /** The aggregator's bound, by the variable that sets it, or its default. */
    private int limit(String variable, int byDefault) {
        String value = environment.getOrDefault(variable, "");
        return value.matches("[1-9][0-9]{0,6}") ? Integer.parseInt(value) : byDefault;
    }

    private Path folder(String name) {
        Path folder = out != null ? out.toAbsolutePath().normalize() : Measurements.folder(repository, name);
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw wrong("--out %s is not a folder.".formatted(folder));
        }
        if (Files.exists(folder.resolve("results.json"))) {
            throw wrong("%s holds results already; choose another folder.".formatted(folder));
        }
        return folder;
    }

    private static void create(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw wrong("%s cannot be written: %s".formatted(folder, e.getMessage()));
        }
    }

    private static void deleteIfEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            if (files.findAny().isPresent()) {
                return;
            }
        }
        Files.delete(folder);
    }

    private static UsageException wrong(String message) {
        return new UsageException(message);
    }
}
