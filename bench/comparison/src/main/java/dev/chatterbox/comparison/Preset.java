package dev.chatterbox.comparison;

import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is measured and for how long, as a file in {@code workloads/presets} describes it and as the options of the
 * command changed it. Immutable.
 *
 * @param workloads in the order in which the file names them
 * @param rows those that are compared where the command names none; empty for the default ones
 * @param rounds how often each cell is measured
 */
public record Preset(
        String name, List<Workload> workloads, List<String> rows, int rounds, Timing timing, RawTiming raw) {

    private static final String SUFFIX = ".properties";
    private static final String WINDOW = "measure";
    private static final String WINDOW_OF = WINDOW + ".";
    private static final Set<String> KEYS = Set.of(
            "workloads", "rounds", "warm-up", "first-warm-up", "warm-up-load", "rows", WINDOW, "raw-rounds", "raw");

    /**
     * @param warmUp before each measured window
     * @param firstWarmUp before the first round: of each slot at least, and of all slots of a row together at most
     *     (of the closed model; the cells of the open model share half of the most). Where the two are equal, nothing
     *     is watched, and where they are 0 there is none
     * @param warmUpLoad the heavy load that every row gets before everything else, whatever is compared; of the
     *     closed model
     * @param windowSeconds of a measured window
     * @param windowSecondsByCalls in place of that, for workloads of so many calls per request
     */
    public record Timing(
            WarmUpBounds warmUp,
            WarmUpBounds firstWarmUp,
            Optional<Workload> warmUpLoad,
            double windowSeconds,
            Map<Integer, Double> windowSecondsByCalls) {}

    /**
     * @param rounds how often each bare client runs
     * @param seconds of its measured window
     */
    public record RawTiming(int rounds, double seconds) {}

    /** The names of the presets in a folder, sorted. */
    public static Set<String> names(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return new TreeSet<>(files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .toList());
        } catch (IOException e) {
            throw new WorkloadException("%s cannot be read: %s".formatted(folder, e.getMessage()));
        }
    }

    /** @throws WorkloadException there is no such preset, or its file is wrong */
    public static Preset read(Path folder, String name) {
        Set<String> names = names(folder);
        if (!names.contains(name)) {
            throw new WorkloadException(
                    "There is no preset '%s'. These are in %s: %s".formatted(name, folder, String.join(", ", names)));
        }
        Path file = folder.resolve(name + SUFFIX);
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
            return of(name, properties);
        } catch (IOException | IllegalArgumentException | WorkloadException e) {
            throw new WorkloadException("%s: %s".formatted(file, e.getMessage()));
        }
    }

    private static Preset of(String name, Properties properties) {
        Map<Integer, Double> windows = new TreeMap<>();
        for (String key : properties.stringPropertyNames()) {
            if (key.startsWith(WINDOW_OF)) {
                windows.put(whole(key, key.substring(WINDOW_OF.length())), seconds(required(properties, key)));
            } else if (!KEYS.contains(key)) {
                throw new WorkloadException("'%s' is not known; known are %s and %s<calls>"
                        .formatted(key, String.join(", ", new TreeSet<>(KEYS)), WINDOW_OF));
            }
        }
        return new Preset(
                name,
                Workload.parseAll(required(properties, "workloads")),
                rows(properties.getProperty("rows", "")),
                whole("rounds", required(properties, "rounds")),
                new Timing(
                        warmUp(required(properties, "warm-up")),
                        warmUp(required(properties, "first-warm-up")),
                        load(properties.getProperty("warm-up-load", "")),
                        seconds(required(properties, WINDOW)),
                        Map.copyOf(windows)),
                new RawTiming(
                        whole("raw-rounds", properties.getProperty("raw-rounds", "0")),
                        seconds(properties.getProperty("raw", "3s"))));
    }

    private static Optional<Workload> load(String text) {
        if (text.isBlank()) {
            return Optional.empty();
        }
        Workload load = Workload.parse(text);
        if (load.isOpen()) {
            throw new WorkloadException(
                    "warm-up-load must be of the closed model (users=N), but it is '%s'".formatted(text));
        }
        return Optional.of(load);
    }

    private static List<String> rows(String text) {
        return Stream.of(text.split(","))
                .map(String::strip)
                .filter(row -> !row.isEmpty())
                .toList();
    }

    private static String required(Properties properties, String key) {
        String value = properties.getProperty(key, "").strip();
        if (value.isEmpty()) {
            throw new WorkloadException(key + " is missing");
        }
        return value;
    }

    private static int whole(String key, String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new WorkloadException("%s must be a whole number, but it is '%s'".formatted(key, text));
        }
    }

    /** {@code 2s..8s}: at least, at most. */
    private static WarmUpBounds warmUp(String text) {
        String[] bounds = text.split("\\.\\.");
        if (bounds.length != 2) {
            throw new WorkloadException("a warm-up is two durations such as 2s..8s, but it is " + text);
        }
        return new WarmUpBounds(seconds(bounds[0]), seconds(bounds[1]));
    }

    /**
     * Reads a duration: {@code 5s}, {@code 2m}, {@code 0.5s} or plain seconds.
     *
     * @throws WorkloadException the text is none
     */
    public static double seconds(String text) {
        String value = text.strip();
        if (!value.matches("[0-9]+(\\.[0-9]+)?[sm]?")) {
            throw new WorkloadException("a duration is such as 5s, 0.5s or 2m, but it is '%s'".formatted(text));
        }
        double number = Double.parseDouble(value.replaceAll("[sm]", ""));
        return value.endsWith("m") ? number * 60 : number;
    }

    public Preset withWorkloads(List<Workload> workloads) {
        return new Preset(name, List.copyOf(workloads), rows, rounds, timing, raw);
    }

    public Preset withRounds(int rounds) {
        return new Preset(name, workloads, rows, rounds, timing, raw);
    }

    /** With measured windows of this length for every workload. */
    public Preset withSeconds(double seconds) {
        Timing one = new Timing(timing.warmUp, timing.firstWarmUp, timing.warmUpLoad, seconds, Map.of());
        return new Preset(name, workloads, rows, rounds, one, raw);
    }

    /**
     * Each workload with each of these numbers of calls per request, in place of its own.
     *
     * @throws WorkloadException a number stands there twice, or is less than 1
     */
    public Preset withCalls(List<Integer> calls) {
        requireDistinct("calls", calls);
        return withWorkloads(workloads.stream()
                .flatMap(workload -> calls.stream().map(workload::withCalls))
                .distinct()
                .toList());
    }

    /**
     * Each workload with each of these payloads, in place of its own.
     *
     * @throws WorkloadException a number stands there twice, or is out of range
     */
    public Preset withPayloads(List<Integer> bytes) {
        requireDistinct("payload", bytes);
        return withWorkloads(workloads.stream()
                .flatMap(workload -> bytes.stream().map(workload::withPayload))
                .distinct()
                .toList());
    }

    /**
     * Each workload at each of these distances, in place of its own.
     *
     * @throws WorkloadException a number stands there twice, or is out of range
     */
    public Preset withDistances(List<Integer> millis) {
        requireDistinct("distance", millis);
        return withWorkloads(workloads.stream()
                .flatMap(workload -> millis.stream().map(workload::withDistance))
                .distinct()
                .toList());
    }

    /** 0 where all is measured without one. */
    public int longestDistanceMillis() {
        return workloads.stream().mapToInt(Workload::distanceMillis).max().orElse(0);
    }

    /**
     * Each workload by each of these exchanges, in place of its own.
     *
     * @param sizes calls that a message of a batch carries; must be empty where there is no batch
     * @throws WorkloadException a value stands there twice or is out of range, or a batch has no size
     */
    public Preset by(List<Exchange> exchanges, List<Integer> sizes) {
        requireDistinct("exchange", exchanges);
        requireDistinct("size", sizes);
        if (exchanges.contains(Exchange.BATCH) == sizes.isEmpty()) {
            throw new WorkloadException(
                    "size, the number of calls in a message, goes with the exchange batch: name both or neither.");
        }
        return withWorkloads(workloads.stream()
                .flatMap(workload -> exchanges.stream()
                        .flatMap(exchange -> (exchange == Exchange.BATCH ? sizes : List.of(1))
                                .stream().map(size -> workload.by(exchange, size))))
                .distinct()
                .toList());
    }

    /**
     * Each workload of the closed model, or each if there is none, with each of these numbers of users. The open
     * model stays.
     */
    public Preset withUsers(List<Integer> users) {
        requireDistinct("users", users);
        List<Load> loads = users.stream().<Load>map(Load.Users::new).toList();
        List<Workload> closed = closed();
        return withWorkloads(Stream.concat(under(closed.isEmpty() ? workloads : closed, loads), open().stream())
                .toList());
    }

    /** Each workload at each of these rates. They need no capacity, so the closed model is left out. */
    public Preset withRates(List<Double> perSecond) {
        requireDistinct("rate", perSecond);
        List<Load> loads = perSecond.stream().<Load>map(Load.Rate::new).toList();
        return withWorkloads(under(workloads, loads).toList());
    }

    /** With a heavy load that the aggregator accepts. */
    public Preset within(int maxCalls, int maxRequests) {
        Optional<Workload> load = timing.warmUpLoad.map(heavy -> {
            int users = heavy.load() instanceof Load.Users closed ? Math.min(closed.count(), maxRequests) : 1;
            return heavy.withCalls(Math.min(heavy.calls(), maxCalls)).under(new Load.Users(users));
        });
        Timing bounded =
                new Timing(timing.warmUp, timing.firstWarmUp, load, timing.windowSeconds, timing.windowSecondsByCalls);
        return new Preset(name, workloads, rows, rounds, bounded, raw);
    }

    private static void requireDistinct(String what, List<?> values) {
        if (values.size() != Set.copyOf(values).size()) {
            throw new WorkloadException("%s names a value twice: %s.".formatted(what, values));
        }
    }

    private static Stream<Workload> under(List<Workload> workloads, List<Load> loads) {
        return workloads.stream()
                .flatMap(workload -> loads.stream().map(workload::under))
                .distinct();
    }

    /** Of the closed model, the heaviest first: the JIT counts calls, not seconds. */
    List<Workload> closed() {
        return heaviestFirst(
                workload -> !workload.isOpen(),
                Comparator.comparing(workload -> workload.load() instanceof Load.Users users ? -users.count() : 0));
    }

    /** Of the open model, the most calls first, and rates in the order of the preset. */
    List<Workload> open() {
        return heaviestFirst(Workload::isOpen, (a, b) -> 0);
    }

    private List<Workload> heaviestFirst(Predicate<Workload> which, Comparator<Workload> then) {
        return workloads.stream()
                .filter(which)
                .sorted(Comparator.comparing(Workload::calls).reversed().thenComparing(then))
                .toList();
    }

    /** The length of the measured window. */
    double secondsOf(Workload workload) {
        return timing.windowSecondsByCalls.getOrDefault(workload.calls(), timing.windowSeconds);
    }

    /**
     * Makes sure that it can be run.
     *
     * @param maxCalls the aggregator's {@code chatterbox.max-calls}
     * @param maxRequests the aggregator's {@code chatterbox.max-requests}: more users than that are turned away
     * @throws WorkloadException it cannot
     */
    public void require(int maxCalls, int maxRequests) {
        if (workloads.isEmpty()) {
            throw new WorkloadException("There is nothing to measure: no workload is named.");
        }
        workloads.forEach(workload -> require(workload, maxCalls, maxRequests));
        require("rounds", rounds, 1, 1000, "1 to 1000");
        Stream.concat(Stream.of(timing.windowSeconds), timing.windowSecondsByCalls.values().stream())
                .forEach(seconds -> require("duration", seconds, 0.5, 3600, "half a second to an hour (60m)"));
        require("raw-rounds", raw.rounds, 0, 1000, "0 to 1000");
        require("raw", raw.seconds, 0.1, 600, "a tenth of a second to ten minutes (10m)");
        for (WarmUpBounds bounds : List.of(timing.warmUp, timing.firstWarmUp)) {
            if (bounds.minSeconds() > bounds.maxSeconds() || bounds.maxSeconds() > 3600) {
                throw new WorkloadException(
                        "warm-up and first-warm-up must be the least and the most, up to an hour (60m), but one is %s..%s."
                                .formatted(bounds.minSeconds(), bounds.maxSeconds()));
            }
        }
    }

    private void require(Workload workload, int maxCalls, int maxRequests) {
        require("calls", workload.calls(), 1, maxCalls, "1 to " + maxCalls + " (chatterbox.max-calls)");
        if (workload.load() instanceof Load.Users users) {
            require("users", users.count(), 1, maxRequests, "1 to " + maxRequests + " (chatterbox.max-requests)");
        }
        if ((workload.load() instanceof Load.Share || workload.load() instanceof Load.ShareOfSlowest)
                && closed().stream().noneMatch(workload::differsOnlyInLoadFrom)) {
            throw new WorkloadException(
                    "'%s' needs the capacity that the closed model shows, so the preset must also have this workload with users=N."
                            .formatted(workload));
        }
    }

    private static void require(String what, double value, double least, double most, String range) {
        if (value < least || value > most) {
            throw new WorkloadException("%s must be %s, but it is %s."
                    .formatted(what, range, value == Math.rint(value) ? (Object) (long) value : (Object) value));
        }
    }
}
