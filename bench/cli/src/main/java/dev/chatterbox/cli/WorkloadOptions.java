package dev.chatterbox.cli;

import dev.chatterbox.comparison.Preset;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.ExchangeShape;
import dev.chatterbox.workloads.QueueShape;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.nio.file.Path;
import java.util.HashSet;
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

    @Option(
            names = "--exchange",
            paramLabel = "NAME",
            split = ",",
            description = "How calls travel: unary, batch, stream, queue (default: the preset's).")
    private List<String> exchanges = List.of();

    @Option(names = "--size", paramLabel = "N", split = ",", description = "Calls in a message of a batch.")
    private List<Integer> sizes = List.of();

    @Option(
            names = "--publishers",
            paramLabel = "N",
            split = ",",
            description = "Messages of a queue on their way to their acknowledgement, 1 to 1000 (default: 250).")
    private List<Integer> publishers = List.of();

    @Option(
            names = "--consumers",
            paramLabel = "N",
            split = ",",
            description = "A queue's consumers in the responder, 1 to 16 (default: 1).")
    private List<Integer> consumers = List.of();

    @Option(
            names = "--topics",
            paramLabel = "N",
            split = ",",
            description = "Topics over which a queue's messages are spread, 1 to 1000 (default: 1).")
    private List<Integer> topics = List.of();

    @Option(
            names = "--groups",
            paramLabel = "N",
            split = ",",
            description = "Groups of a queue's consumers that each get each message, 1 to 50 (default: 1).")
    private List<Integer> groups = List.of();

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            split = ",",
            description = "Carried by each call and given back, 0 to 131072.")
    private List<Integer> payloads = List.of();

    @Option(
            names = "--distance",
            paramLabel = "TIME",
            split = ",",
            description = "Round-trip time put between the processes, such as 0ms,5ms (default: the preset's).")
    List<String> distances = List.of();

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "At least so many, if there is time; every row is in each.")
    private @Nullable Integer blocks;

    @Option(
            names = "--width",
            paramLabel = "PERCENT",
            description = "Ends when ratios are known this well, such as 5%% (default: the preset's).")
    private @Nullable String width;

    @Option(names = "--time", paramLabel = "TIME", description = "For the blocks of a start, at the most, such as 2m.")
    private @Nullable String time;

    @Option(names = "--starts", paramLabel = "N", description = "How often the stack is started and measured.")
    @Nullable
    Integer starts;

    /**
     * The preset, changed by the options.
     *
     * @param folder of the presets
     * @param byDefault the preset's name if the person names none
     */
    Preset preset(Path folder, String byDefault, Map<String, String> environment) {
        Preset workload = Preset.read(folder, preset == null ? byDefault : preset);
        requireDistinct("--calls", calls);
        requireDistinct("--users", users);
        requireDistinct("--rate", rates);
        requireDistinct("--exchange", exchanges);
        requireDistinct("--size", sizes);
        requireDistinct("--publishers", publishers);
        requireDistinct("--consumers", consumers);
        requireDistinct("--topics", topics);
        requireDistinct("--groups", groups);
        requireDistinct("--payload", payloads);
        requireDistinct("--distance", distances);
        if (!calls.isEmpty()) {
            workload = workload.withCalls(calls);
        }
        List<QueueShape> queues = workload.workloads().stream()
                .filter(one -> one.exchange() == Exchange.QUEUE)
                .map(one -> one.shape().queue())
                .toList();
        List<ExchangeShape> shapes = ExchangeShape.all(
                exchanges.stream().map(Workload::exchange).toList(),
                sizes,
                QueueShape.all(publishers, consumers, topics, groups, queues));
        if (!shapes.isEmpty()) {
            workload = workload.by(shapes);
        }
        if (!payloads.isEmpty()) {
            workload = workload.withPayloads(payloads);
        }
        if (!distances.isEmpty()) {
            List<Integer> millis =
                    distances.stream().map(Workload::distanceMillis).toList();
            requireDistinct("--distance", millis);
            workload = workload.withDistances(millis);
        }
        if (!rates.isEmpty()) {
            if (!users.isEmpty()) {
                throw new UsageException("--users is of the closed model and --rate of the open one: choose.");
            }
            workload = workload.withRates(rates);
        } else if (!users.isEmpty()) {
            workload = workload.withUsers(users);
        }
        try {
            workload = workload.within(
                    blocks,
                    width == null ? null : Preset.part(width),
                    time == null ? null : Preset.seconds(time),
                    starts);
        } catch (WorkloadException e) {
            throw new UsageException("--width or --time: " + e.getMessage());
        }
        workload.require(
                limit(environment, "CHATTERBOX_MAX_CALLS", DEFAULT_MAX_CALLS),
                limit(environment, "CHATTERBOX_MAX_REQUESTS", DEFAULT_MAX_REQUESTS));
        CallTimeout.require(workload.longestDistanceMillis(), CallTimeout.of(environment));
        return workload;
    }

    private static void requireDistinct(String option, List<?> values) {
        if (new HashSet<>(values).size() < values.size()) {
            throw new UsageException("%s names a value twice: %s".formatted(option, values));
        }
    }

    /** The aggregator's limit, from the environment variable that sets it, or else the default. */
    private static int limit(Map<String, String> environment, String variable, int byDefault) {
        String value = environment.getOrDefault(variable, "");
        return value.matches("[1-9][0-9]{0,6}") ? Integer.parseInt(value) : byDefault;
    }
}
