package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.Ranking;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.Sums;
import dev.chatterbox.workloads.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A run and the estimates from it, which are calculated once.
 *
 * @param folder the name of its folder, which shows when it was made
 * @param rankings the rankings of all workloads, those of the headline first
 */
record MeasuredRun(String folder, Results results, List<Ranking> rankings, List<Workload> headline) {

    /** How the names of the settings of variants begin. */
    static final String VARIANTS = "variants.";

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    static MeasuredRun of(String folder, Results results) {
        List<Workload> headline = results.headline();
        List<Ranking> rankings = results.workloads().stream()
                .map(workload -> Ranking.of(
                        workload,
                        results.variants(workload).stream()
                                .filter(cell -> cell.side() == null)
                                .toList(),
                        Estimator.COMMITTED))
                .filter(ranking -> !ranking.places().isEmpty())
                .sorted(Comparator.comparing(ranking -> !headline.contains(ranking.workload())))
                .toList();
        return new MeasuredRun(folder, results, rankings, headline);
    }

    /** @throws dev.chatterbox.results.ResultsException the results are missing or cannot be understood */
    static MeasuredRun read(Path folderOrFile) {
        Path folder =
                ResultsFile.file(folderOrFile).toAbsolutePath().normalize().getParent();
        return of(Objects.requireNonNullElse(folder, folderOrFile), ResultsFile.read(folderOrFile));
    }

    static MeasuredRun of(Path folder, Results results) {
        Path name = folder.toAbsolutePath().normalize().getFileName();
        return of(name == null ? results.name() : name.toString(), results);
    }

    /** The rankings of the workloads that are in every block. */
    List<Ranking> headlineRankings() {
        return rankings.stream()
                .filter(ranking -> headline.contains(ranking.workload()))
                .toList();
    }

    /** The cells of all rankings, in their order. */
    List<Cell> cells() {
        return rankings.stream().flatMap(ranking -> ranking.cells().stream()).toList();
    }

    /** CPU-microseconds of a call. */
    Estimate cost(Cell cell) {
        return Estimator.COMMITTED.figure(Sums.cpu(cell));
    }

    /** @throws ResultsException it was not measured */
    Cell cell(String variant, Workload workload) {
        return results.cell(variant, workload, null)
                .orElseThrow(() -> new ResultsException("names what was not measured: " + variant));
    }

    /** Whether two stacks were compared. */
    boolean hasSides() {
        return results.cells().stream().anyMatch(cell -> cell.side() != null);
    }

    String started() {
        return MINUTE.format(results.started());
    }

    /** The looks of all variants, also of variants that were not measured, because the live page gives looks to all. */
    Palette palette() {
        return new Palette(Stream.concat(
                        results.environment().variants().propertyNames().stream(),
                        results.cells().stream().map(Cell::variant))
                .toList());
    }

    /** Which run it is, and on which processor it was made. */
    String shortMeta() {
        return Numbers.joined(
                " · ",
                results.name(),
                started(),
                known("", "/machine/cpu").replaceAll("\\(R\\)| Processor", ""),
                Numbers.counted(results.starts(), "start"));
    }

    /** One line that says which run it is. */
    String meta() {
        Environment environment = results.environment();
        String cores = environment
                .text("/machine/cores")
                .map(number -> Numbers.counted(Long.parseLong(number), "core"))
                .orElse("");
        return Numbers.joined(
                " · ",
                results.name(),
                started(),
                Numbers.time(
                        Duration.between(results.started(), results.finished()).toSeconds()),
                cores + known(" of ", "/machine/cpu"),
                known("Java ", "/java/version"),
                known("git ", "/git/revision") + (Boolean.TRUE.equals(environment.dirty()) ? ", with changes" : ""),
                Numbers.counted(results.starts(), "start"),
                "seed " + results.seed());
    }

    /** What the environment has there, after some words; empty if it has nothing. */
    private String known(String before, String pointer) {
        return results.environment().text(pointer).map(before::concat).orElse("");
    }

    static String setting(String variant, String name) {
        return VARIANTS + variant + "." + name;
    }

    /** The environment of the run: values by their names in results.json, settings of variants by "variants.NAME". */
    Map<String, String> environment() {
        Environment environment = results.environment();
        Map<String, String> leaves = new LinkedHashMap<>();
        Stream.of("machine", "java", "versions", "git", "brokers")
                .forEach(section -> collect(section, environment.tree().path(section), leaves));
        collect("fan-out", environment.tree().at("/settings/fanOut"), leaves);
        environment.variants().properties().forEach(variant -> {
            collect(VARIANTS + variant.getKey(), variant.getValue().path("settings"), leaves);
            Stream.of("kind", "responder", "broker")
                    .forEach(name -> leaves.put(
                            setting(variant.getKey(), name),
                            variant.getValue().path(name).asString("")));
        });
        leaves.values().removeIf(String::isEmpty);
        leaves.replaceAll(MeasuredRun::readable);
        return leaves;
    }

    private static String readable(String name, String value) {
        return name.endsWith("Bytes") && value.matches("[0-9]+") ? Numbers.bytes(Double.parseDouble(value)) : value;
    }

    private static void collect(String path, JsonNode node, Map<String, String> leaves) {
        if (node.isObject()) {
            node.properties().forEach(field -> collect(path + "." + field.getKey(), field.getValue(), leaves));
        } else {
            leaves.put(path, node.isContainer() ? node.toString() : node.asString(""));
        }
    }
}
