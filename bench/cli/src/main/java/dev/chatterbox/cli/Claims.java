package dev.chatterbox.cli;

import dev.chatterbox.comparison.Preset;
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
import java.util.Optional;
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
    private final Comparing comparing;

    /** Whether Ctrl-C was pressed. */
    private volatile boolean stopped;

    /** Compares rows by a preset, as the command compare does. */
    @FunctionalInterface
    interface Comparing {

        /**
         * @param out the folder for the results
         * @return the exit code
         */
        int compare(Preset preset, List<String> rows, Path out) throws IOException;
    }

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

    Claims(Repository repository, Terminal terminal, Comparing comparing) {
        this.repository = repository;
        this.terminal = terminal;
        this.comparing = comparing;
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
        try (Interruption interruption = new Interruption(() -> stopped = true, terminal)) {
            return run(chosen, idsOfRuns, folder());
        }
    }

    private int run(List<Claim> chosen, Map<String, List<String>> idsOfRuns, Path folder) throws IOException {
        Map<String, Results> results = new LinkedHashMap<>();
        List<String> failed = new ArrayList<>();
        for (Map.Entry<String, List<String>> run : idsOfRuns.entrySet()) {
            String name = run.getKey();
            Set<String> rows = rows(chosen, name);
            Optional<Results> measured = attempts(folder, name)
                    .map(ResultsFile::read)
                    .filter(before -> isMeasured(before, rows))
                    .findFirst();
            if (measured.isPresent()) {
                terminal.line("%s is measured already.".formatted(name));
            } else if (!stopped) {
                terminal.line("%s, %d of %d: claims %s"
                        .formatted(
                                name,
                                1 + results.size() + failed.size(),
                                idsOfRuns.size(),
                                String.join(", ", run.getValue())));
                measured = measure(folder, name, rows);
            }
            measured.ifPresentOrElse(found -> results.put(name, found), () -> failed.add(name));
        }
        write(new ClaimsPage(chosen, results), folder);
        if (failed.isEmpty()) {
            return ExitCode.OK;
        }
        terminal.error("Not measured: %s. To repeat that: ./chatterbox claims --resume --out %s"
                .formatted(String.join(", ", failed), folder));
        return ExitCode.FAILED;
    }

    private static boolean isMeasured(Results results, Set<String> rows) {
        return !results.interrupted()
                && results.valid()
                && results.cells().stream()
                        .map(Cell::row)
                        .collect(Collectors.toSet())
                        .containsAll(rows);
    }

    /** The rows that the chosen claims of a run need. */
    private static Set<String> rows(List<Claim> chosen, String run) {
        return chosen.stream()
                .flatMap(claim -> claim.trial().stream())
                .filter(trial -> trial.run().equals(run))
                .flatMap(trial -> trial.rows().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A comparison of these rows with the run's preset; empty if it failed, whatever it has measured until then. */
    private Optional<Results> measure(Path folder, String run, Set<String> rows) throws IOException {
        long before = attempts(folder, run).count();
        Path attempt = folder.resolve(before == 0 ? run : run + "-" + (1 + before));
        try {
            int exitCode = comparing.compare(Preset.read(repository.presets(), run), List.copyOf(rows), attempt);
            return exitCode == ExitCode.OK ? Optional.of(ResultsFile.read(attempt)) : Optional.empty();
        } catch (RuntimeException e) {
            if (!Chatterbox.isForeseen(e)) {
                throw e;
            }
            // The other runs need other rows, or another moment.
            terminal.error(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** The folders with results of this run: one that failed is followed by another. */
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
