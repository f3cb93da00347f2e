package dev.chatterbox.cli;

import dev.chatterbox.comparison.Preset;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.workloads.Dimension;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is measured and for how long: a preset, and the options that change it. */
final class WorkloadOptions {

    // These are the aggregator's own defaults (FanOutProperties).
    static final int DEFAULT_MAX_CALLS = 10_000;
    static final int DEFAULT_MAX_REQUESTS = 1000;

    @Option(
            names = "--preset",
            paramLabel = "NAME",
            description =
                    "A file in bench/workloads/presets (default: quick; against with --against, target with --target).")
    private @Nullable String preset;

    @Option(
            names = "--workload",
            paramLabel = "TEXT",
            description = "Measure this instead of the preset's workloads, such as 'unary calls=1,1000 users=8'"
                    + " or 'queue calls=10000 payload=1024'. May be given several times.")
    private List<String> workloads = List.of();

    @Option(names = "--calls", paramLabel = "N", split = ",", description = "Backend calls per request.")
    private List<Integer> calls = List.of();

    @Option(names = "--users", paramLabel = "N", split = ",", description = "Concurrent users (closed model).")
    private List<Integer> users = List.of();

    @Option(
            names = "--rate",
            paramLabel = "R",
            split = ",",
            description = "Requests per second (open model), instead of users.")
    private List<Double> rates = List.of();

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "Measure at least N blocks, if --time is long enough; each block has every variant.")
    private @Nullable String blocks;

    @Option(
            names = "--width",
            paramLabel = "PERCENT",
            description = "End after --blocks if ratios are known this well, such as 5%% (default: the preset's).")
    private @Nullable String width;

    @Option(names = "--time", paramLabel = "TIME", description = "Longest time for the blocks of a start, such as 2m.")
    private @Nullable String time;

    @Option(names = "--starts", paramLabel = "N", description = "Start and measure the stack N times.")
    @Nullable
    String starts;

    /** Whether the person has named a distance, if only 0 ms. */
    boolean namesDistance() {
        return workloads.stream().anyMatch(text -> text.contains(Dimension.DISTANCE.key() + "="));
    }

    /**
     * The preset, changed by the options.
     *
     * @param folder of the presets
     * @param byDefault the preset's name if the person names none
     */
    Preset preset(Path folder, String byDefault) {
        Map<String, @Nullable String> lines = new HashMap<>();
        lines.put("blocks", blocks);
        lines.put("width", width);
        lines.put("time", time);
        lines.put("starts", starts);
        if (!workloads.isEmpty()) {
            lines.put("workload", String.join(";", workloads));
            lines.put("others", "");
        }
        Preset chosen = Preset.read(folder, preset == null ? byDefault : preset, lines);
        if (!calls.isEmpty()) {
            chosen = chosen.withCalls(calls);
        }
        if (!rates.isEmpty() && !users.isEmpty()) {
            throw new UsageException("--users is the closed model, --rate the open one: choose one of them.");
        }
        if (!rates.isEmpty()) {
            chosen = chosen.withRates(rates);
        } else if (!users.isEmpty()) {
            chosen = chosen.withUsers(users);
        }
        return chosen;
    }

    /**
     * Checks a preset against the limits of a stack that this program will start.
     *
     * @param environment of this program, whose limits that stack will have
     */
    static void require(Preset preset, Map<String, String> environment) {
        preset.require(
                limit(environment, "CHATTERBOX_MAX_CALLS", DEFAULT_MAX_CALLS),
                limit(environment, "CHATTERBOX_MAX_REQUESTS", DEFAULT_MAX_REQUESTS));
        CallTimeout.require(preset.longestDistanceMillis(), CallTimeout.of(environment));
    }

    /** The aggregator's limit, from the environment variable that sets it, or else the default. */
    private static int limit(Map<String, String> environment, String variable, int byDefault) {
        String value = environment.getOrDefault(variable, "");
        return value.matches("[1-9][0-9]{0,6}") ? Integer.parseInt(value) : byDefault;
    }
}
