package dev.chatterbox.cli;

import dev.chatterbox.report.ClaimsPage;
import dev.chatterbox.report.claims.Claim;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Re-runs published claims. The claims that share a stack share a run, which is a comparison with its preset. */
@Command(
        name = "claims",
        description = {
            "Re-run published comparisons: as published, and with the setting changed that carries each.",
            "Without IDs: every claim that can be run here. Exit code 1 if a run failed or was ended early."
        },
        footer = {"", "  ./chatterbox claims --list", "  ./chatterbox claims 1.1 3.1"})
final class Claims implements Callable<Integer> {

    private static final String SUFFIX = "-claims";

    private final Repository repository;
    private final Terminal terminal;
    private final Map<String, String> environment;

    @Parameters(arity = "0..*", paramLabel = "ID", description = "Claims such as 1.1.")
    private List<String> ids = List.of();

    @Option(names = "--list", description = "List all claims, and what each needs; runs nothing.")
    private boolean list;

    @Option(names = "--resume", description = "Continue the last run: what it has measured stays.")
    private boolean resume;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The folder for results and pages (default: .chatterbox/results/<time>-claims).")
    private @Nullable Path out;

    Claims(Repository repository, Terminal terminal, Map<String, String> environment) {
        this.repository = repository;
        this.terminal = terminal;
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        List<Claim> chosen = chosen(Claim.read(repository.claims()));
        if (list) {
            ClaimsPage.list(chosen).forEach(terminal::line);
            return ExitCode.OK;
        }
        Map<String, List<String>> idsOfRuns = new LinkedHashMap<>();
        for (Claim claim : chosen) {
            claim.trial()
                    .ifPresent(trial -> idsOfRuns
                            .computeIfAbsent(trial.run(), run -> new ArrayList<>())
                            .add(claim.id()));
        }
        if (idsOfRuns.isEmpty()) {
            throw new UsageException(
                    "None of these claims can be run yet; ./chatterbox claims --list says what each waits for.");
        }
        // Ctrl-C ends the comparison that runs, which says so; then there is still the page to write.
        try (Interruption interruption = new Interruption(() -> {}, terminal)) {
            return run(chosen, idsOfRuns, folder());
        }
    }

    private int run(List<Claim> chosen, Map<String, List<String>> idsOfRuns, Path folder) throws IOException {
        Map<String, Results> results = new LinkedHashMap<>();
        for (Map.Entry<String, List<String>> run : idsOfRuns.entrySet()) {
            terminal.line("%s, %d of %d: claims %s"
                    .formatted(run.getKey(), results.size() + 1, idsOfRuns.size(), String.join(", ", run.getValue())));
            Set<String> rows = rows(chosen, run.getKey());
            Results measured = attempts(folder, run.getKey())
                    .map(ResultsFile::read)
                    .filter(before -> !before.interrupted()
                            && before.cells().stream()
                                    .map(Cell::row)
                                    .collect(Collectors.toSet())
                                    .containsAll(rows))
                    .findFirst()
                    .orElse(null);
            if (measured != null) {
                terminal.line("It is measured already.");
            } else {
                measured = measure(folder, run.getKey(), rows);
            }
            if (measured != null) {
                results.put(run.getKey(), measured);
            }
            if (measured == null || measured.interrupted()) {
                break;
            }
        }
        write(new ClaimsPage(chosen, results), folder);
        return results.size() == idsOfRuns.size() && results.values().stream().noneMatch(Results::interrupted)
                ? ExitCode.OK
                : ExitCode.FAILED;
    }

    /** The rows that the chosen claims of a run need. */
    private static Set<String> rows(List<Claim> chosen, String run) {
        return chosen.stream()
                .flatMap(claim -> claim.trial().stream())
                .filter(trial -> trial.run().equals(run))
                .flatMap(trial -> trial.rows().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A comparison of these rows with the run's preset; null if nothing was measured. */
    private @Nullable Results measure(Path folder, String run, Set<String> rows) {
        Path attempt = folder.resolve(
                attempts(folder, run).count() == 0
                        ? run
                        : run + "-" + (1 + attempts(folder, run).count()));
        Chatterbox.commandLine(terminal, environment)
                .execute(
                        "compare",
                        "--preset",
                        run,
                        "--transports",
                        String.join(",", rows),
                        "--out",
                        attempt.toString());
        return Files.exists(ResultsFile.file(attempt)) ? ResultsFile.read(attempt) : null;
    }

    /** The folders with results of this run: an interrupted one is followed by another. */
    private static Stream<Path> attempts(Path folder, String run) {
        return Stream.iterate(1, n -> n + 1)
                .map(n -> folder.resolve(n == 1 ? run : run + "-" + n))
                .takeWhile(attempt -> Files.exists(attempt.resolve(ResultsFile.NAME)));
    }

    private Path folder() throws IOException {
        if (out != null) {
            Path folder = out.toAbsolutePath().normalize();
            if (Files.exists(folder) && !resume) {
                throw new UsageException(
                        "%s is there already; --resume continues it, or choose another folder.".formatted(folder));
            }
            return folder;
        }
        return resume ? latest() : Measurements.folder(repository, "claims");
    }

    private Path latest() throws IOException {
        try (Stream<Path> folders =
                Files.isDirectory(repository.results()) ? Files.list(repository.results()) : Stream.empty()) {
            return folders.filter(folder -> folder.toString().endsWith(SUFFIX))
                    .max(Comparator.naturalOrder())
                    .orElseThrow(() -> new UsageException("There is no run of claims to resume."));
        }
    }

    private void write(ClaimsPage page, Path folder) throws IOException {
        terminal.line("");
        page.lines().forEach(terminal::line);
        terminal.line("");
        if (!Files.isDirectory(folder)) {
            return;
        }
        Files.writeString(folder.resolve("claims.md"), page.markdown());
        terminal.line("Also as Markdown, next to the results of each run: " + folder.resolve("claims.md"));
    }

    private List<Claim> chosen(List<Claim> all) {
        List<String> unknown = ids.stream()
                .filter(id -> all.stream().noneMatch(claim -> claim.id().equals(id)))
                .toList();
        if (!unknown.isEmpty()) {
            throw new UsageException("There is no claim %s. There are: %s"
                    .formatted(
                            String.join(", ", unknown),
                            all.stream().map(Claim::id).collect(Collectors.joining(", "))));
        }
        return all.stream()
                .filter(claim -> ids.isEmpty() || ids.contains(claim.id()))
                .toList();
    }
}
