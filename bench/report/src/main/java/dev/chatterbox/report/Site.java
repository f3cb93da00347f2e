package dev.chatterbox.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Results;
import dev.chatterbox.variants.Outlives;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import dev.chatterbox.workloads.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the pages Results and Choose of the site read: what each variant is, and what each published run measured of it.
 * docs/results/format.md describes each field.
 */
public record Site(String schema, List<Run> runs, List<About> variants, List<Figure> figures) {

    /**
     * The runs of our own questions on the machine of today, as their files are called. Those of claims have a page of
     * their own.
     */
    private static final String RUNS =
            "headline transports curve cure ladder mvc languages work variants clusters topics groups prices";

    private static final String SCHEMA = "chatterbox-site/1";

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** @param command that measures it again */
    record Run(
            String name,
            String started,
            int starts,
            String command,
            String commit,
            String machine,
            String java,
            List<String> caveats) {}

    record About(String name, String transport, String about, String language) {}

    /**
     * @param outlives what one of its requests or messages outlives
     * @param cost CPU-microseconds per call or message
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Figure(
            String run,
            String variant,
            String load,
            String mode,
            int calls,
            String outlives,
            double cost,
            @Nullable Double from,
            @Nullable Double to,
            List<String> caveats) {}

    /**
     * The text of docs/results/site.json.
     *
     * @param root of the checkout, whose docs/results have the runs
     */
    public static String json(Path root, Variants variants) {
        Map<String, MeasuredRun> runs = new LinkedHashMap<>();
        for (String name : RUNS.split(" ")) {
            Path file = root.resolve(PublishedTables.FOLDER).resolve(name + ".json.gz");
            if (Files.exists(file)) {
                runs.put(name, MeasuredRun.read(file));
            }
        }
        return JSON.writeValueAsString(new Site(
                        SCHEMA,
                        runs.entrySet().stream()
                                .map(run -> run(run.getKey(), run.getValue()))
                                .toList(),
                        variants.all().stream().map(Site::about).toList(),
                        runs.entrySet().stream()
                                .flatMap(run -> figures(run.getKey(), run.getValue(), variants))
                                .toList()))
                + "\n";
    }

    private static Run run(String name, MeasuredRun run) {
        Results results = run.results();
        return new Run(
                name,
                run.started(),
                results.starts(),
                results.command(),
                results.environment().text("/git/revision").orElse(""),
                results.environment().text("/machine/cpu").orElse(""),
                results.environment().text("/java/version").orElse(""),
                Findings.doubtsOfAll(results));
    }

    private static About about(Variant variant) {
        return new About(
                variant.name(),
                variant.transport(),
                variant.description().about(),
                variant.name().contains("python") ? "python" : "java");
    }

    private static Stream<Figure> figures(String name, MeasuredRun run, Variants variants) {
        return run.cells().stream()
                .filter(cell -> !cell.isZeroLine())
                .map(cell -> figure(name, run, cell, variants))
                .filter(figure -> Double.isFinite(figure.cost));
    }

    private static Figure figure(String name, MeasuredRun run, Cell cell, Variants variants) {
        Workload workload = cell.workload();
        Estimate cost = run.cost(cell);
        return new Figure(
                name,
                cell.variant(),
                WorkloadText.of(workload),
                workload.mode().text(),
                workload.calls(),
                variants.find(cell.variant())
                        .map(variant -> variant.outlives(workload.mode()))
                        .orElse(Outlives.NOTHING)
                        .text(),
                cost.value(),
                cost.hasInterval() ? cost.from() : null,
                cost.hasInterval() ? cost.to() : null,
                cost.caveats().stream().map(Caveat::toString).toList());
    }
}
