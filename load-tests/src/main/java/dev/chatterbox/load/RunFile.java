package dev.chatterbox.load;

import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A standalone run: tells a person what happens, and writes {@code chatterbox.json} beside Gatling's own report.
 * Gatling names its folder when the run starts and tells nobody; it is the newest one of the simulation in
 * {@code gatling.resultsFolder}.
 */
final class RunFile implements PlanListener {

    /** A rate that was missed by more is worth a warning. */
    private static final double RATE_TOLERANCE = 0.02;

    /** The file's contents. */
    private record Contents(String schema, String model, LoadPlan plan, List<MeasuredStep> steps) {}

    private record MeasuredStep(Step step, StepResult result) {}

    private final String model;
    private final LoadPlan plan;
    private final String folderPrefix;
    private final Path results = Path.of(System.getProperty("gatling.resultsFolder", "target/gatling"));
    private final PrintStream out = System.out;
    private final List<MeasuredStep> steps = new ArrayList<>();

    RunFile(String model, LoadPlan plan, Class<?> simulation) {
        this.model = model;
        this.plan = plan;
        this.folderPrefix = simulation.getSimpleName().toLowerCase(Locale.ROOT) + "-";
    }

    @Override
    public void ready() {
        out.printf("%nchatterbox, %s model%n", model);
        out.printf("  baseUrl         %s%n", plan.baseUrl());
        out.printf(
                "  transport       %s%n",
                String.join(", ", plan.steps().stream().map(Step::row).toList()));
        out.printf("  workload        %s%n", plan.steps().get(0).workload());
        out.printf("  warmUp          %s s%n", plan.warmUp().minSeconds());
        out.printf("  duration        %s s%n", plan.measureSeconds());
        out.printf("  requestTimeout  %s s%n", plan.timeoutSeconds());
        out.printf("  java            %s%n%n", Runtime.version());
    }

    @Override
    public void warmUp(Step step) {
        out.printf("%n%s: warming up%n", step.row());
    }

    @Override
    public void measure(Step step) {
        out.printf("%n%s: measuring%n", step.row());
    }

    @Override
    public void measured(Step step) {
        out.printf("%n%s: measured, waiting for the last answers%n", step.row());
    }

    @Override
    public void ended(Step step, StepResult result) {
        steps.add(new MeasuredStep(step, result));
        Percentiles latency = result.latency();
        out.printf(
                Locale.ROOT,
                "%n%s: %.1f requests/s, %.0f calls/s, p50 %.2f ms, p99 %.2f ms, max %.2f ms, %d right, %d failed %s%n",
                step.row(),
                result.requestsPerSecond(),
                result.requestsPerSecond() * step.workload().calls(),
                latency.p50() * 1000,
                latency.p99() * 1000,
                latency.max() * 1000,
                result.requests(),
                result.failed(),
                result.failed() == 0 ? "" : result.failures());
        if (!result.warmUp().stable()) {
            out.printf("%s: WARNING: not yet stable when measured: a longer -DwarmUp may tell%n", step.row());
        }
        Double target = step.rate();
        Double achieved = result.rate();
        if (target != null && achieved != null && Math.abs(achieved - target) > RATE_TOLERANCE * target) {
            out.printf(
                    Locale.ROOT,
                    "%s: WARNING: the rate was missed: %.2f requests/s were started, not %.2f%n",
                    step.row(),
                    achieved,
                    target);
        }
    }

    @Override
    public void done() {
        try {
            Path file = folder().resolve("chatterbox.json");
            LoadJson.MAPPER
                    .writer(SerializationFeature.INDENT_OUTPUT)
                    .writeValue(file.toFile(), new Contents("chatterbox-load/2", model, plan, steps));
            out.printf("%nWith nanoseconds and every percentile: %s%n", file.toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path folder() throws IOException {
        try (Stream<Path> folders = Files.list(results)) {
            return folders.filter(folder -> folder.getFileName().toString().startsWith(folderPrefix))
                    .max(Comparator.comparing(folder -> folder.getFileName().toString()))
                    .orElse(results);
        }
    }
}
