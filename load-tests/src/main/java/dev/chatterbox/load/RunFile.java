package dev.chatterbox.load;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
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
import org.HdrHistogram.Histogram;

/**
 * The output of a standalone run for a person, and its {@code chatterbox.json} beside Gatling's own report. Gatling
 * names its folder when the run starts, and does not tell the name; it is the newest folder of the simulation in
 * {@code gatling.resultsFolder}.
 */
final class RunFile {

    /** A rate that was missed by more than this part causes a warning. */
    private static final double RATE_TOLERANCE = 0.02;

    private static final int STEADY_SLICES = 3;
    private static final double STEADY = 0.05;

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(Workload.class, ToStringSerializer.instance)
                    .addSerializer(Histogram.class, new LatencySerializer()))
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    /** Writes a histogram compressed, in Base64. */
    private static final class LatencySerializer extends JsonSerializer<Histogram> {
        @Override
        public void serialize(Histogram latency, JsonGenerator to, SerializerProvider provider) throws IOException {
            to.writeBinary(SliceResult.compressed(latency));
        }
    }

    private record Contents(String schema, LoadPlan plan, List<Measured> variants) {}

    /**
     * What a variant showed.
     *
     * @param latency in seconds; {@code result} has the whole histogram
     * @param cpuSeconds processor time of this process, the generator; Linux counts it in steps of 10 ms
     */
    private record Measured(
            String variant,
            double requestsPerSecond,
            Percentiles latency,
            double cpuSeconds,
            SliceResult result,
            List<SliceResult> warmUp) {}

    /** Percentiles in seconds; all are zero if nothing was measured. */
    record Percentiles(double p50, double p90, double p95, double p99, double max, double mean) {

        private static final double NANOS = 1e9;

        static Percentiles of(Histogram nanos) {
            return new Percentiles(
                    nanos.getValueAtPercentile(50) / NANOS,
                    nanos.getValueAtPercentile(90) / NANOS,
                    nanos.getValueAtPercentile(95) / NANOS,
                    nanos.getValueAtPercentile(99) / NANOS,
                    nanos.getMaxValue() / NANOS,
                    nanos.getMean() / NANOS);
        }
    }

    private final LoadPlan plan;
    private final String folderPrefix;
    private final Path results = Path.of(System.getProperty("gatling.resultsFolder", "target/gatling"));
    private final PrintStream out = System.out;
    private final List<Measured> variants = new ArrayList<>();

    RunFile(LoadPlan plan, Class<?> simulation) {
        this.plan = plan;
        this.folderPrefix = simulation.getSimpleName().toLowerCase(Locale.ROOT) + "-";
    }

    void begin() {
        out.printf("%nchatterbox, %s model%n", plan.model());
        out.printf("  baseUrl         %s%n", plan.baseUrl());
        out.printf("  transport       %s%n", String.join(", ", plan.variants()));
        out.printf("  workload        %s%n", plan.workload());
        out.printf("  warmUp          %s s%n", plan.warmUp());
        out.printf("  duration        %s s%n", plan.duration());
        out.printf("  requestTimeout  %s s%n", plan.requestTimeout());
        out.printf("  java            %s%n%n", Runtime.version());
    }

    void say(String variant, String what) {
        out.printf("%n%s: %s%n", variant, what);
    }

    void take(String variant, List<SliceResult> warmUp, SliceResult result, double cpuSeconds) {
        Percentiles latency = Percentiles.of(result.latency());
        double perSecond = perSecond(result);
        variants.add(new Measured(variant, perSecond, latency, cpuSeconds, result, warmUp));
        out.printf(
                Locale.ROOT,
                "%n%s: %.1f requests/s, %.0f calls/s, p50 %s, p99 %s, max %s, %d right, %d failed %s%n",
                variant,
                perSecond,
                result.right() == 0 ? 0 : perSecond * result.calls(plan.workload()) / result.right(),
                millis(result, latency.p50()),
                millis(result, latency.p99()),
                millis(result, latency.max()),
                result.right(),
                result.failed(),
                result.failed() == 0 ? "" : result.failures());
        if (!isStable(warmUp.stream().map(RunFile::perSecond).toList())) {
            out.printf("%s: WARNING: not yet stable when measured: a longer -DwarmUp may show more%n", variant);
        }
        long unsent = result.failures().getOrDefault(Judgement.UNSENT.kind(), 0L);
        double sent = (result.right() + result.failed() - unsent) / plan.duration();
        if (plan.workload().load() instanceof Load.Rate rate
                && Math.abs(sent - rate.perSecond()) > RATE_TOLERANCE * rate.perSecond()) {
            out.printf(
                    Locale.ROOT,
                    "%s: WARNING: the rate was missed: %.2f requests/s were sent, not %.2f%n",
                    variant,
                    sent,
                    rate.perSecond());
        }
    }

    private static double perSecond(SliceResult result) {
        return result.seconds() == 0 ? 0 : result.right() / result.seconds();
    }

    /** Whether the last slices of the warm-up are within 5 % of their mean. */
    static boolean isStable(List<Double> rates) {
        if (rates.size() < STEADY_SLICES) {
            return false;
        }
        List<Double> last = rates.subList(rates.size() - STEADY_SLICES, rates.size());
        double mean = last.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        // A difference of one request is always tolerated; otherwise no slow variant would ever be stable.
        return mean > 0 && last.stream().allMatch(rate -> Math.abs(rate - mean) <= Math.max(STEADY * mean, 1));
    }

    /** The value, with ≥ before it if it may be more, because a request was given up at that age. */
    private static String millis(SliceResult result, double seconds) {
        boolean atLeast = result.unansweredNanos() > 0 && seconds * 1e9 >= result.unansweredNanos();
        return String.format(Locale.ROOT, "%s%.2f ms", atLeast ? "≥ " : "", seconds * 1000);
    }

    void write() {
        try {
            Path file = folder().resolve("chatterbox.json");
            MAPPER.writeValue(file.toFile(), new Contents("chatterbox-load/3", plan, variants));
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
