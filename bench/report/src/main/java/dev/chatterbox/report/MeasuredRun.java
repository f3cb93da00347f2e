package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.workloads.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A run as pages and sentences ask for it.
 *
 * @param folder the name of its folder, which tells when it was made
 */
record MeasuredRun(String folder, Results results) {

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    static MeasuredRun read(Path folderOrFile) {
        Results results = ResultsFile.read(folderOrFile);
        Path folder = file(folderOrFile).toAbsolutePath().normalize().getParent();
        return new MeasuredRun(
                folder == null || folder.getFileName() == null
                        ? name(results)
                        : folder.getFileName().toString(),
                results);
    }

    static Path file(Path folderOrFile) {
        return Files.isDirectory(folderOrFile) ? folderOrFile.resolve(ResultsFile.NAME) : folderOrFile;
    }

    private static String name(Results results) {
        return results.name() == null || results.name().isEmpty() ? "comparison" : results.name();
    }

    String name() {
        return name(results);
    }

    /** To the minute; empty if unknown. */
    String started() {
        return results.started() == null ? "" : MINUTE.format(results.started());
    }

    /** As it was called; empty if unknown. */
    String command() {
        return results.command() == null ? "" : results.command();
    }

    /** "abc1234" or "abc1234, with changes"; empty if unknown. */
    String revision() {
        Environment.Git git = results.environment().git();
        if (git.revision() == null) {
            return "";
        }
        return Boolean.TRUE.equals(git.dirty()) ? git.revision() + ", with changes" : git.revision();
    }

    /** Those that were measured, sorted. */
    List<String> rows() {
        return Stream.concat(
                        results.cells().stream().map(Cell::row),
                        results.rawLimits().stream().map(RawLimit::row))
                .distinct()
                .sorted()
                .toList();
    }

    /** Also those that were not measured but are there: the live page colours by all of them. */
    List<String> knownRows() {
        TreeSet<String> names = new TreeSet<>(rows());
        names.addAll(results.environment().settings().rows().keySet());
        return List.copyOf(names);
    }

    List<Workload> closed() {
        return workloads(false);
    }

    List<Workload> open() {
        return workloads(true);
    }

    /** Of one model, in their order. */
    List<Workload> workloads(boolean open) {
        return results.cells().stream()
                .map(Cell::workload)
                .filter(workload -> workload.isOpen() == open)
                .distinct()
                .sorted()
                .toList();
    }

    Optional<Cell> cell(String row, Workload workload) {
        return results.cell(row, workload);
    }

    /** Those of all rows under some workloads, a workload after the other. */
    List<Cell> cells(List<Workload> workloads) {
        return workloads.stream()
                .flatMap(workload -> rows().stream().flatMap(row -> cell(row, workload).stream()))
                .toList();
    }

    List<Cell> invalidCells() {
        return results.cells().stream().filter(cell -> !cell.valid()).toList();
    }

    List<RawLimit> rawLimits() {
        return results.rawLimits().stream()
                .sorted(Comparator.comparing(RawLimit::row))
                .toList();
    }

    /** The valid closed cell of a row that makes the most calls, of those that the bare client makes too. */
    Optional<Cell> best(String row) {
        return results.cells().stream()
                .filter(cell -> cell.row().equals(row)
                        && cell.valid()
                        && !cell.workload().isOpen()
                        && Axis.further(cell.workload()).isEmpty()
                        && Metric.CALLS.of(cell).exists())
                .max(Comparator.comparingDouble(cell -> Metric.CALLS.of(cell).median()));
    }

    /** Empty if unknown. */
    Optional<String> cores() {
        return Optional.ofNullable(results.environment().machine().cores())
                .map(cores -> Numbers.counted(cores, "core"));
    }
}
