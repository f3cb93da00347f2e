package dev.chatterbox.cli;

import dev.chatterbox.cli.compare.Comparison;
import dev.chatterbox.cli.compare.Preset;
import dev.chatterbox.cli.compare.Results;
import dev.chatterbox.cli.compare.Target;
import dev.chatterbox.cli.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

    /** How long an interrupted comparison may take to write what it has and to stop what it started. */
    private static final long FAREWELL_SECONDS = 40;

    // The aggregator's own (FanOutProperties).
    private static final int DEFAULT_MAX_CALLS = 10_000;
    private static final int DEFAULT_MAX_REQUESTS = 1000;

    private final Repository repository;
    private final Terminal terminal;
    private final Map<String, String> environment;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--preset", paramLabel = "NAME", description = "A workload in cli/presets (default: quick).")
    private String preset = QUICK;

    @Option(names = "--transports", paramLabel = "NAME", split = ",", description = "Only these (default: all).")
    private List<String> transports = List.of();

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

    @Option(names = "--duration", paramLabel = "TIME", description = "Of each measured window, such as 5s or 2m.")
    private @Nullable String duration;

    @Option(names = "--rounds", paramLabel = "N", description = "How often each cell is measured.")
    private @Nullable Integer rounds;

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
        List<String> names = names();
        // Complains of ports that do not exist.
        Plan.of(repository, repository.stack(offset == null ? 0 : offset));
        Path folder = folder(workload.name());
        terminal.line("%s: %s, %d %s; about %s%s"
                .formatted(
                        workload.name(),
                        String.join(", ", names),
                        workload.rounds(),
                        workload.rounds() == 1 ? "round" : "rounds",
                        readable(Comparison.seconds(workload, names.size())),
                        repository.stack(offset == null ? 0 : offset).members().isEmpty() ? ", once all is up" : ""));
        try (Testbed testbed = Testbed.open(repository, Optional.ofNullable(offset), terminal)) {
            return run(workload, names, folder, testbed);
        } finally {
            deleteIfEmpty(folder);
        }
    }

    private int run(Preset workload, List<String> names, Path folder, Testbed testbed) throws IOException {
        Target target = testbed.target();
        requireFits(workload, names, target);
        Comparison comparison = new Comparison(
                new Comparison.Setup(target, workload, names, repository.root(), folder, command()), terminal);
        CountDownLatch done = new CountDownLatch(1);
        Thread hook = new Thread(() -> interrupt(comparison, done), "interrupt-comparison");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Results results = comparison.run();
            boolean written = show(results, folder);
            testbed.close();
            return written && results.valid() ? ExitCode.OK : ExitCode.FAILED;
        } catch (CliException e) {
            testbed.close();
            throw e;
        } finally {
            done.countDown();
            removeHook(hook);
        }
    }

    /** A stack that was running already may be older than this checkout, or have bounds of its own. */
    private static void requireFits(Preset workload, List<String> names, Target target) throws IOException {
        List<String> there =
                target.transports().stream().map(Target.Transport::name).toList();
        for (String name : names) {
            if (!there.contains(name)) {
                throw new CliException(
                        "The running stack has no transport '%s'; these are there: %s. To start it anew: %s"
                                .formatted(name, String.join(", ", there), "./chatterbox down, then ./chatterbox up"));
            }
        }
        JsonNode bounds = JsonMapper.shared()
                .readTree(Http.get(target.aggregator().port(), "/actuator/info").body())
                .at("/chatterbox/fanOut");
        workload.require(
                bounds.path("maxCalls").asInt(DEFAULT_MAX_CALLS),
                bounds.path("maxRequests").asInt(DEFAULT_MAX_REQUESTS));
    }

    private boolean show(Results results, Path folder) {
        if (results.measuredNothing()) {
            terminal.line("Nothing was measured.");
            return false;
        }
        terminal.line("");
        Comparison.table(results, terminal).forEach(terminal::line);
        terminal.line("");
        if (results.interrupted()) {
            terminal.line("Interrupted; this is what was measured until then.");
        }
        Report.write(folder);
        terminal.line("Report: " + folder.resolve("report.html"));
        terminal.line("Also there: results.json, results.csv, summary.md"
                + (results.gatlingReports().isEmpty() ? "" : ", Gatling's own pages in gatling/"));
        return true;
    }

    /** Ctrl-C and its like: Java goes on to exit with 128 and the signal's number when this returns. */
    private void interrupt(Comparison comparison, CountDownLatch done) {
        if (done.getCount() == 0) {
            return;
        }
        terminal.line("Interrupted; keeping what was measured.");
        comparison.interrupt();
        try {
            if (!done.await(FAREWELL_SECONDS, TimeUnit.SECONDS)) {
                terminal.error("It took too long; some of it may be missing.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException running) {
            // It waits for this.
        }
    }

    private Preset workload() {
        Preset workload = Preset.read(repository.presets(), preset);
        if (!calls.isEmpty()) {
            workload = workload.withCalls(calls);
        }
        if (!rates.isEmpty()) {
            if (!users.isEmpty()) {
                throw wrong("--users is of the closed model and --rate of the open one: choose.");
            }
            workload = workload.withRates(rates);
        } else if (!users.isEmpty()) {
            workload = workload.withUsers(users);
        }
        if (rounds != null) {
            workload = workload.withRounds(rounds);
        }
        if (duration != null) {
            try {
                workload = workload.withSeconds(Preset.seconds(duration));
            } catch (IllegalArgumentException e) {
                throw wrong("--duration: " + e.getMessage());
            }
        }
        workload.require(
                limit("CHATTERBOX_MAX_CALLS", DEFAULT_MAX_CALLS),
                limit("CHATTERBOX_MAX_REQUESTS", DEFAULT_MAX_REQUESTS));
        return workload;
    }

    /** The aggregator's bound, by the variable that sets it, or its default. */
    private int limit(String variable, int byDefault) {
        String value = environment.getOrDefault(variable, "");
        return value.matches("[1-9][0-9]{0,6}") ? Integer.parseInt(value) : byDefault;
    }

    private List<String> names() {
        List<String> known =
                repository.transports().stream().map(Transport::name).toList();
        for (String name : transports) {
            if (!known.contains(name)) {
                throw wrong("There is no transport '%s'. These are here: %s".formatted(name, String.join(", ", known)));
            }
        }
        return transports.isEmpty() ? known : List.copyOf(new TreeSet<>(transports));
    }

    private Path folder(String name) throws IOException {
        Path folder = out != null
                ? out.toAbsolutePath().normalize()
                : repository
                        .results()
                        .resolve(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now()) + "-"
                                + name);
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw wrong("--out %s is not a folder.".formatted(folder));
        }
        if (Files.exists(folder.resolve("results.json"))) {
            throw wrong("%s holds results already; choose another folder.".formatted(folder));
        }
        try {
            return Files.createDirectories(folder);
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

    private static CliException wrong(String message) {
        return new CliException(ExitCode.WRONG_USAGE, message);
    }

    private String command() {
        return spec == null || spec.root().commandLine().getParseResult() == null
                ? "./chatterbox"
                : ("./chatterbox "
                                + String.join(
                                        " ",
                                        spec.root()
                                                .commandLine()
                                                .getParseResult()
                                                .originalArgs()))
                        .strip();
    }

    private static String readable(double seconds) {
        return seconds < 90 ? "%.0f s".formatted(seconds) : "%.0f min".formatted(Math.ceil(seconds / 60));
    }
}
