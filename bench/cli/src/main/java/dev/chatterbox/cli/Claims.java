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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Re-runs published claims. The claims that share a stack share a run, which is a comparison with its preset. */
@Command(
        name = "claims",
        description = {
            "Run published comparisons again: with the published settings, and with one of them changed.",
            "Without IDs: every claim that can be run here. Exit code 1 if a run failed or ended early.",
            "If --out has results of a run, the run is not repeated, unless it failed."
        },
        footer = {"", "  ./chatterbox claims --list", "  ./chatterbox claims 1.1 3.1"})
final class Claims extends CheckoutCommand {

    private final Comparing comparing;

    /** Whether Ctrl-C was pressed. */
    private volatile boolean stopped;

    /** Compares variants by a preset, as the command compare does. */
    @FunctionalInterface
    interface Comparing {

        /**
         * @param out the folder for the results
         * @return the exit code
         */
        int compare(Preset preset, List<String> variants, Path out) throws IOException;
    }

    @Parameters(arity = "0..*", paramLabel = "ID", description = "Claims such as 1.1.")
    private List<String> ids = List.of();

    @Option(names = "--list", description = "List all claims, and what each needs; run nothing.")
    private boolean list;

    @Mixin
    private final OutOption out = new OutOption();

    Claims(Repository repository, Terminal terminal, Comparing comparing) {
        super(repository, terminal);
        this.comparing = comparing;
    }

    @Override
    public Integer call() throws IOException {
        List<Claim> chosen = chosen(Claim.read(repository.claims()));
        if (list) {
            ClaimsPage.list(chosen).forEach(terminal::line);
            return ExitCode.OK;
        }
        Map<String, List<Claim>> runs = chosen.stream()
                .filter(claim -> claim.trial().isPresent())
                .collect(Collectors.groupingBy(
                        claim -> claim.trial().orElseThrow().run(), LinkedHashMap::new, Collectors.toList()));
        if (runs.isEmpty()) {
            throw new UsageException(
                    "None of these claims can be run yet; ./chatterbox claims --list says what each waits for.");
        }
        // Ctrl-C ends the comparison that runs, which says so; then there is still the page to write.
        try (Interruption interruption = new Interruption(() -> stopped = true, terminal)) {
            return run(chosen, runs, out.folder(repository, "claims"));
        }
    }

    private List<Claim> chosen(List<Claim> all) {
        List<String> known = all.stream().map(Claim::id).toList();
        if (!known.containsAll(ids)) {
            throw new UsageException("There is no claim %s. There are: %s"
                    .formatted(
                            ids.stream().filter(id -> !known.contains(id)).collect(Collectors.joining(", ")),
                            String.join(", ", known)));
        }
        return all.stream()
                .filter(claim -> ids.isEmpty() || ids.contains(claim.id()))
                .toList();
    }

    private int run(List<Claim> chosen, Map<String, List<Claim>> runs, Path folder) throws IOException {
        Map<String, Results> results = new LinkedHashMap<>();
        List<String> failed = new ArrayList<>();
        for (Map.Entry<String, List<Claim>> run : runs.entrySet()) {
            String name = run.getKey();
            Set<String> variants = run.getValue().stream()
                    .flatMap(claim -> claim.trial().orElseThrow().variants().stream())
                    .collect(Collectors.toCollection(TreeSet::new));
            List<Path> attempts = attempts(folder, name);
            Optional<Results> measured = attempts.stream()
                    .map(ResultsFile::read)
                    .filter(before -> isMeasured(before, variants))
                    .findFirst();
            if (measured.isPresent()) {
                terminal.line("%s is measured already.".formatted(name));
            } else if (!stopped) {
                terminal.line("%s, %d of %d: claims %s"
                        .formatted(
                                name,
                                1 + results.size() + failed.size(),
                                runs.size(),
                                run.getValue().stream().map(Claim::id).collect(Collectors.joining(", "))));
                measured = measure(name, variants, folder.resolve(attempt(name, 1 + attempts.size())));
            }
            measured.ifPresentOrElse(found -> results.put(name, found), () -> failed.add(name));
        }
        ClaimsPage page = new ClaimsPage(chosen, results);
        Path file = Files.createDirectories(folder).resolve("claims.md");
        Files.writeString(file, page.markdown());
        terminal.line("");
        page.lines().forEach(terminal::line);
        terminal.line("");
        terminal.line("With terms, settings and caveats, next to the results of each run: " + file);
        if (failed.isEmpty()) {
            return ExitCode.OK;
        }
        terminal.error("Not measured: %s. To repeat that: ./chatterbox claims --out %s%s"
                .formatted(
                        String.join(", ", failed),
                        folder,
                        ids.stream().map(" "::concat).collect(Collectors.joining())));
        return ExitCode.FAILED;
    }

    private static boolean isMeasured(Results results, Set<String> variants) {
        return !results.interrupted()
                && results.valid()
                && results.cells().stream()
                        .map(Cell::variant)
                        .collect(Collectors.toSet())
                        .containsAll(variants);
    }

    /**
     * A comparison of these variants with the run's preset; empty if it failed, whatever it has measured until then.
     */
    private Optional<Results> measure(String run, Set<String> variants, Path attempt) throws IOException {
        try {
            int exitCode = comparing.compare(Preset.read(repository.presets(), run), List.copyOf(variants), attempt);
            return exitCode == ExitCode.OK ? Optional.of(ResultsFile.read(attempt)) : Optional.empty();
        } catch (RuntimeException e) {
            if (!Chatterbox.isForeseen(e)) {
                throw e;
            }
            // The other runs need other variants, or another moment.
            terminal.error(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** The folders with results of this run: one that failed is followed by another. */
    private static List<Path> attempts(Path folder, String run) {
        return Stream.iterate(1, n -> n + 1)
                .map(n -> folder.resolve(attempt(run, n)))
                .takeWhile(attempt -> Files.exists(attempt.resolve(ResultsFile.NAME)))
                .toList();
    }

    private static String attempt(String run, int number) {
        return number == 1 ? run : run + "-" + number;
    }
}
