package dev.chatterbox.comparison;

import dev.chatterbox.cli.CliException;
import dev.chatterbox.cli.ExitCode;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A workload, as a file in {@code cli/presets} describes it and as the options of the command changed it.
 *
 * @param calls backend calls a request
 * @param users concurrent users of the closed model; none if there are only rates
 * @param rates requests per second of the open model, given by hand
 * @param loads shares of the capacity that the closed model found, for the open model
 * @param warmUp before each measured window
 * @param firstWarmUp before the first round: of each cell at least, and then of all cells of a transport at most (of the
 *     closed model; the cells of the open model share the most)
 * @param seconds of a measured window, by calls a request: those that the file does not name have that of {@link #ANY}
 * @param rawRounds how often each bare client runs
 * @param rawSeconds the measured window of a bare client
 */
public record Preset(
        String name,
        List<Integer> calls,
        List<Integer> users,
        List<Double> rates,
        List<Double> loads,
        int rounds,
        WarmUp warmUp,
        WarmUp firstWarmUp,
        Map<Integer, Double> seconds,
        int rawRounds,
        double rawSeconds) {

    static final int ANY = 0;

    private static final String SUFFIX = ".properties";
    private static final Set<String> KEYS =
            Set.of("calls", "users", "open", "rounds", "warm-up", "first-warm-up", "measure", "raw-rounds", "raw");

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
            throw new CliException("%s cannot be read: %s".formatted(folder, e.getMessage()));
        }
    }

    /** @throws CliException there is no such preset, or its file is wrong */
    public static Preset read(Path folder, String name) {
        Set<String> names = names(folder);
        if (!names.contains(name)) {
            throw new CliException(
                    ExitCode.WRONG_USAGE,
                    "There is no preset '%s'. These are in %s: %s".formatted(name, folder, String.join(", ", names)));
        }
        Path file = folder.resolve(name + SUFFIX);
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
            return of(name, properties);
        } catch (IOException | IllegalArgumentException e) {
            throw new CliException("%s: %s".formatted(file, e.getMessage()));
        }
    }

    private static Preset of(String name, Properties properties) {
        properties.stringPropertyNames().stream()
                .filter(key -> !KEYS.contains(key) && !key.matches("measure\\.[1-9][0-9]*"))
                .findFirst()
                .ifPresent(key -> {
                    throw new IllegalArgumentException(
                            "'%s' is unknown; known are %s and measure.<calls>".formatted(key, new TreeSet<>(KEYS)));
                });
        Map<Integer, Double> seconds = new TreeMap<>();
        for (String key : properties.stringPropertyNames()) {
            if (key.startsWith("measure")) {
                int calls = key.equals("measure") ? ANY : Integer.parseInt(key.substring("measure.".length()));
                seconds.put(calls, seconds(required(properties, key)));
            }
        }
        if (!seconds.containsKey(ANY)) {
            throw new IllegalArgumentException("measure is missing");
        }
        return new Preset(
                name,
                integers(required(properties, "calls")),
                integers(required(properties, "users")),
                List.of(),
                loads(properties.getProperty("open", "")),
                Integer.parseInt(required(properties, "rounds")),
                warmUp(required(properties, "warm-up")),
                warmUp(required(properties, "first-warm-up")),
                seconds,
                Integer.parseInt(properties.getProperty("raw-rounds", "0").strip()),
                seconds(properties.getProperty("raw", "3s")));
    }

    private static String required(Properties properties, String key) {
        String value = properties.getProperty(key, "").strip();
        if (value.isEmpty()) {
            throw new IllegalArgumentException(key + " is missing");
        }
        return value;
    }

    private static List<Integer> integers(String text) {
        return Stream.of(text.split(","))
                .map(String::strip)
                .map(Integer::valueOf)
                .toList();
    }

    /** Percentages of the capacity. */
    private static List<Double> loads(String text) {
        return Stream.of(text.split(","))
                .map(String::strip)
                .filter(load -> !load.isEmpty())
                .map(load -> Integer.parseInt(load) / 100.0)
                .toList();
    }

    /** {@code 2s..8s}: at least, at most. */
    private static WarmUp warmUp(String text) {
        String[] bounds = text.split("\\.\\.");
        if (bounds.length != 2) {
            throw new IllegalArgumentException("a warm-up is two durations such as 2s..8s, but it is " + text);
        }
        return WarmUp.of(seconds(bounds[0]), seconds(bounds[1]));
    }

    /** {@code 5s}, {@code 2m}, {@code 0.5s} or plain seconds. */
    public static double seconds(String text) {
        String value = text.strip();
        if (!value.matches("[0-9]+(\\.[0-9]+)?[sm]?")) {
            throw new IllegalArgumentException("a duration is such as 5s, 0.5s or 2m, but it is '%s'".formatted(text));
        }
        double number = Double.parseDouble(value.replaceAll("[sm]", ""));
        return value.endsWith("m") ? number * 60 : number;
    }

    public Preset withCalls(List<Integer> calls) {
        return new Preset(
                name, calls, users, rates, loads, rounds, warmUp, firstWarmUp, seconds, rawRounds, rawSeconds);
    }

    public Preset withUsers(List<Integer> users) {
        return new Preset(
                name, calls, users, rates, loads, rounds, warmUp, firstWarmUp, seconds, rawRounds, rawSeconds);
    }

    /** Rates given by hand need no capacity, so the closed model is left out. */
    public Preset withRates(List<Double> rates) {
        return new Preset(
                name, calls, List.of(), rates, List.of(), rounds, warmUp, firstWarmUp, seconds, rawRounds, rawSeconds);
    }

    public Preset withRounds(int rounds) {
        return new Preset(
                name, calls, users, rates, loads, rounds, warmUp, firstWarmUp, seconds, rawRounds, rawSeconds);
    }

    public Preset withSeconds(double seconds) {
        Map<Integer, Double> all = Map.of(ANY, seconds);
        return new Preset(name, calls, users, rates, loads, rounds, warmUp, firstWarmUp, all, rawRounds, rawSeconds);
    }

    double secondsOf(int calls) {
        Double own = seconds.get(calls);
        return own != null ? own : seconds.getOrDefault(ANY, 1.0);
    }

    /**
     * Makes sure that it can be run.
     *
     * @param maxCalls the aggregator's {@code chatterbox.max-calls}
     * @param maxRequests the aggregator's {@code chatterbox.max-requests}: more users than that are turned away
     * @throws CliException with the exit code of wrong usage
     */
    public void require(int maxCalls, int maxRequests) {
        requireAll("calls", calls, n -> n >= 1 && n <= maxCalls, "1 to " + maxCalls + " (chatterbox.max-calls)");
        requireAll(
                "users", users, n -> n >= 1 && n <= maxRequests, "1 to " + maxRequests + " (chatterbox.max-requests)");
        requireAll("rate", rates, rate -> rate > 0 && rate <= 1e6, "more than 0 requests per second");
        requireAll("open", loads, load -> load > 0 && load <= 2, "1 to 200 percent of the capacity");
        requireAll("rounds", List.of(rounds), n -> n >= 1 && n <= 1000, "1 to 1000");
        requireAll(
                "duration",
                List.copyOf(seconds.values()),
                s -> s >= 0.5 && s <= 3600,
                "half a second to an hour (60m)");
        requireAll("raw-rounds", List.of(rawRounds), n -> n >= 0 && n <= 1000, "0 to 1000");
        requireAll("raw", List.of(rawSeconds), s -> s >= 0.5 && s <= 600, "half a second to ten minutes (10m)");
        for (WarmUp bounds : List.of(warmUp, firstWarmUp)) {
            requireAll(
                    "warm-up and first-warm-up",
                    List.of(bounds.minSeconds() + ".." + bounds.maxSeconds()),
                    text -> bounds.minSeconds() <= bounds.maxSeconds() && bounds.maxSeconds() <= 3600,
                    "the least and the most, up to an hour (60m)");
        }
        if (calls.isEmpty() || users.isEmpty() && rates.isEmpty()) {
            throw new CliException(
                    ExitCode.WRONG_USAGE, "There is nothing to measure: no calls, or no users and no rate.");
        }
    }

    private static <T> void requireAll(
            String what, List<T> values, java.util.function.Predicate<T> valid, String range) {
        for (T value : values) {
            if (!valid.test(value)) {
                throw new CliException(
                        ExitCode.WRONG_USAGE, "%s must be %s, but it is %s.".formatted(what, range, value));
            }
        }
        if (values.size() != Set.copyOf(values).size()) {
            throw new CliException(ExitCode.WRONG_USAGE, "%s names a value twice: %s.".formatted(what, values));
        }
    }
}
