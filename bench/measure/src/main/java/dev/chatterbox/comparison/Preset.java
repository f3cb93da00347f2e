package dev.chatterbox.comparison;

import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.ExchangeShape;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is measured, and for how long: a file in {@code workloads/presets}, changed by the options of the command.
 * Immutable.
 *
 * @param headline the workloads of every block, in the order in which the file names them
 * @param others the workloads of every fourth block
 * @param rows the rows that are compared if the command names none; empty for the default rows
 * @param warmUpLoad the heavy load of the closed model that every row gets before everything else; empty if nothing is
 *     warmed up, and so nothing is ranked
 * @param warmUpSeconds how many seconds of this load a row gets at most
 * @param blocks how many blocks each start has at least
 * @param width how far above its value the 99 % interval of a ratio of the headline's costs may reach when the run
 *     ends: 0.08 is 8 %
 * @param seconds how many seconds the blocks of one start take at most
 * @param sliceSeconds how many seconds a slice is calibrated to
 * @param starts how often the stack is started
 * @param keepBrokers whether only the aggregator and the responders are started again, and the brokers stay
 * @param bare whether the rows' bare clients are measured
 * @param memory whether the row {@code memory} is measured beside them, if the stack has it
 */
public record Preset(
        String name,
        List<Workload> headline,
        List<Workload> others,
        List<String> rows,
        Optional<Workload> warmUpLoad,
        double warmUpSeconds,
        int blocks,
        double width,
        double seconds,
        double sliceSeconds,
        int starts,
        boolean keepBrokers,
        boolean bare,
        boolean memory) {

    private static final String SUFFIX = ".properties";
    private static final Set<String> KEYS = Set.of(
            "headline",
            "others",
            "rows",
            "warm-up-load",
            "warm-up",
            "blocks",
            "width",
            "time",
            "slice",
            "starts",
            "keep-brokers",
            "bare",
            "memory");

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
        for (String key : properties.stringPropertyNames()) {
            if (!KEYS.contains(key)) {
                throw new WorkloadException(
                        "'%s' is not known; known are %s".formatted(key, String.join(", ", new TreeSet<>(KEYS))));
            }
        }
        String others = properties.getProperty("others", "");
        String load = properties.getProperty("warm-up-load", "");
        return new Preset(
                name,
                Workload.parseAll(properties.getProperty("headline", "")),
                others.isBlank() ? List.of() : Workload.parseAll(others),
                Stream.of(properties.getProperty("rows", "").split(","))
                        .map(String::strip)
                        .filter(row -> !row.isEmpty())
                        .toList(),
                load.isBlank() ? Optional.empty() : Optional.of(Workload.parse(load)),
                seconds(properties.getProperty("warm-up", "0s")),
                whole("blocks", properties.getProperty("blocks", "20")),
                part(properties.getProperty("width", "8%")),
                seconds(properties.getProperty("time", "")),
                seconds(properties.getProperty("slice", "0.5s")),
                whole("starts", properties.getProperty("starts", "1")),
                flag("keep-brokers", properties.getProperty("keep-brokers", "false")),
                flag("bare", properties.getProperty("bare", "false")),
                flag("memory", properties.getProperty("memory", "true")));
    }

    private static int whole(String key, String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new WorkloadException("%s must be a whole number, but it is '%s'".formatted(key, text));
        }
    }

    private static boolean flag(String key, String text) {
        return switch (text.strip()) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new WorkloadException("%s must be true or false, but it is '%s'".formatted(key, text.strip()));
        };
    }

    /**
     * Reads a part: {@code 8%} or {@code 2.5%}.
     *
     * @throws WorkloadException the text is no percentage
     */
    public static double part(String text) {
        String value = text.strip();
        if (!value.matches("[0-9]{1,4}(\\.[0-9]{1,3})?%?")) {
            throw new WorkloadException("it must be a percentage such as 8%%, but it is '%s'".formatted(text));
        }
        return Double.parseDouble(value.replace("%", "")) / 100;
    }

    /**
     * Reads a duration: {@code 5s}, {@code 2m}, {@code 0.5s} or plain seconds.
     *
     * @throws WorkloadException the text is no duration
     */
    public static double seconds(String text) {
        String value = text.strip();
        if (!value.matches("[0-9]{1,9}(\\.[0-9]{1,9})?[sm]?")) {
            throw new WorkloadException("a duration is such as 5s, 0.5s or 2m, but it is '%s'".formatted(text));
        }
        double number = Double.parseDouble(value.replaceAll("[sm]", ""));
        return value.endsWith("m") ? number * 60 : number;
    }

    /** All workloads that are measured, those of the headline first. */
    public List<Workload> workloads() {
        return Stream.concat(headline.stream(), others.stream()).distinct().toList();
    }

    private Preset with(Function<List<Workload>, List<Workload>> change) {
        List<Workload> first = change.apply(headline).stream().distinct().toList();
        List<Workload> further = change.apply(others).stream()
                .distinct()
                .filter(workload -> !first.contains(workload))
                .toList();
        return with(first, further, warmUpLoad, blocks, width, seconds, starts);
    }

    private Preset with(
            List<Workload> headline,
            List<Workload> others,
            Optional<Workload> warmUpLoad,
            int blocks,
            double width,
            double seconds,
            int starts) {
        return new Preset(
                name,
                headline,
                others,
                rows,
                warmUpLoad,
                warmUpSeconds,
                blocks,
                width,
                seconds,
                sliceSeconds,
                starts,
                keepBrokers,
                bare,
                memory);
    }

    /** This preset with other bounds; null keeps a bound as it is. */
    public Preset within(
            @Nullable Integer blocks, @Nullable Double width, @Nullable Double seconds, @Nullable Integer starts) {
        return with(
                headline,
                others,
                warmUpLoad,
                Objects.requireNonNullElse(blocks, this.blocks),
                Objects.requireNonNullElse(width, this.width),
                Objects.requireNonNullElse(seconds, this.seconds),
                Objects.requireNonNullElse(starts, this.starts));
    }

    /**
     * Each workload with each of these numbers of calls per request, in place of its own.
     *
     * @throws WorkloadException a number is less than 1
     */
    public Preset withCalls(List<Integer> calls) {
        return with(each(calls, Workload::withCalls));
    }

    /**
     * Each workload with each of these payloads, in place of its own.
     *
     * @throws WorkloadException a number is out of range
     */
    public Preset withPayloads(List<Integer> bytes) {
        return with(each(bytes, Workload::withPayload));
    }

    /**
     * Each workload at each of these distances, in place of its own.
     *
     * @throws WorkloadException a number is out of range
     */
    public Preset withDistances(List<Integer> millis) {
        return with(each(millis, Workload::withDistance));
    }

    private interface Change<T> {
        Workload of(Workload workload, T value);
    }

    private static <T> Function<List<Workload>, List<Workload>> each(List<T> values, Change<T> change) {
        return workloads -> workloads.stream()
                .flatMap(workload -> values.stream().map(value -> change.of(workload, value)))
                .toList();
    }

    /**
     * Each workload by each of these exchanges, in place of its own.
     *
     * @throws WorkloadException a queue cannot have so many calls
     */
    public Preset by(List<ExchangeShape> exchanges) {
        return with(each(exchanges, Workload::by));
    }

    /**
     * Each workload of the closed model with each of these numbers of users. Workloads of the open model stay, unless
     * there are no others.
     */
    public Preset withUsers(List<Integer> users) {
        List<Load> loads = users.stream().<Load>map(Load.Users::new).toList();
        boolean closed = workloads().stream().anyMatch(workload -> !workload.isOpen());
        return with(workloads -> workloads.stream()
                .flatMap(workload -> closed && workload.isOpen()
                        ? Stream.of(workload)
                        : loads.stream().map(workload::under))
                .toList());
    }

    /** Each workload at each of these rates. A rate needs no capacity, so the closed model is left out. */
    public Preset withRates(List<Double> perSecond) {
        List<Load> loads = perSecond.stream().<Load>map(Load.Rate::new).toList();
        return with(each(loads, Workload::under));
    }

    /** This preset with a warm-up load that the aggregator accepts. */
    public Preset accepted(int maxCalls, int maxRequests) {
        Optional<Workload> load = warmUpLoad.map(heavy -> {
            int users = heavy.load() instanceof Load.Users closed ? Math.min(closed.count(), maxRequests) : 1;
            return heavy.withCalls(Math.min(heavy.calls(), maxCalls)).under(new Load.Users(users));
        });
        return with(headline, others, load, blocks, width, seconds, starts);
    }

    /**
     * The loads that warm up each row that has their exchange. The programs of one-way messages have no part in calls, so
     * where there are both, the first of their workloads warms them up.
     */
    List<Workload> warmUpLoads() {
        Stream<Workload> messages = workloads().stream()
                .filter(workload -> workload.exchange() == Exchange.QUEUE
                        && warmUpLoad
                                .filter(load -> load.exchange() != Exchange.QUEUE)
                                .isPresent())
                .limit(1);
        return Stream.concat(warmUpLoad.stream(), messages).toList();
    }

    /** The longest distance of the workloads; 0 if none has a distance. */
    public int longestDistanceMillis() {
        return workloads().stream().mapToInt(Workload::distanceMillis).max().orElse(0);
    }

    /** How many seconds a request may take before the generator gives it up: the longest of all workloads. */
    int timeoutSeconds() {
        return workloads().stream().mapToInt(Workload::timeoutSeconds).max().orElseThrow();
    }

    /** How many users the largest workload has, or an open workload may keep waiting. */
    int residents(int maxRequests) {
        Collection<Workload> all = new ArrayList<>(workloads());
        warmUpLoad.ifPresent(all::add);
        return all.stream()
                .mapToInt(workload -> workload.load() instanceof Load.Users users ? users.count() : maxRequests)
                .max()
                .orElse(1);
    }

    /**
     * Makes sure that the preset can be run.
     *
     * @param maxCalls the aggregator's {@code chatterbox.max-calls}
     * @param maxRequests the aggregator's {@code chatterbox.max-requests}: it turns away more users than that
     * @throws WorkloadException the preset cannot be run
     */
    public void require(int maxCalls, int maxRequests) {
        if (headline.isEmpty()) {
            throw new WorkloadException("There is nothing to measure: no workload is named.");
        }
        workloads().forEach(workload -> require(workload, maxCalls, maxRequests));
        require("blocks", blocks, 1, 10_000, "1 to 10000");
        require("time", seconds, 1, 86_400, "a second to a day (1440m)");
        require("slice", sliceSeconds, 0.05, 60, "0.05 to 60 seconds");
        require("starts", starts, 1, 100, "1 to 100");
        require("width", width, 0.001, 100, "0.1% to 10000%");
        require("warm-up", warmUpSeconds, 0, 3600, "0 seconds to an hour (60m)");
        if (warmUpLoad.isPresent() && warmUpSeconds == 0) {
            throw new WorkloadException("warm-up-load needs a warm-up, which is its time, such as 60s");
        }
        if (warmUpLoad.filter(Workload::isOpen).isPresent()) {
            throw new WorkloadException(
                    "warm-up-load must be of the closed model (users=N), but it is '%s'".formatted(warmUpLoad.get()));
        }
    }

    private void require(Workload workload, int maxCalls, int maxRequests) {
        if (workload.exchange() != Exchange.QUEUE) {
            require("calls", workload.calls(), 1, maxCalls, "1 to " + maxCalls + " (chatterbox.max-calls)");
        }
        if (workload.load() instanceof Load.Users users) {
            require("users", users.count(), 1, maxRequests, "1 to " + maxRequests + " (chatterbox.max-requests)");
        }
        boolean share = workload.load() instanceof Load.Share || workload.load() instanceof Load.ShareOfSlowest;
        if (share
                && workloads().stream().noneMatch(other -> !other.isOpen() && workload.differsOnlyInLoadFrom(other))) {
            throw new WorkloadException(
                    "'%s' needs the capacity that the closed model shows, so the preset must also have this workload with users=N."
                            .formatted(workload));
        }
    }

    private static void require(String what, double value, double least, double most, String range) {
        if (!(value >= least && value <= most)) {
            throw new WorkloadException("%s must be %s, but it is %s."
                    .formatted(what, range, value == Math.rint(value) ? (Object) (long) value : (Object) value));
        }
    }
}
