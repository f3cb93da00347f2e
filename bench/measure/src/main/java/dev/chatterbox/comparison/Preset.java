package dev.chatterbox.comparison;

import dev.chatterbox.processes.programs.Cache;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.Durations;
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
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is measured, and for how long: a file in {@code workloads/presets}, changed by the options of the command.
 * Immutable.
 *
 * @param headline the workloads of every block, in the order in which the file names them: its line {@code workload}
 * @param others the workloads of every fourth block
 * @param variants the variants that are compared if the command names none; empty for the default variants
 * @param warmUpLoad the heavy load of the closed model that every variant gets before everything else; empty if nothing
 *     is warmed up, and so nothing is ranked
 * @param keepBrokers whether only the aggregator and the responders are started again, and the brokers stay
 * @param bare whether the variants' bare clients are measured
 * @param memory whether the variant {@code memory} is measured beside them, if the stack has it
 */
public record Preset(
        String name,
        List<Workload> headline,
        List<Workload> others,
        List<String> variants,
        Optional<Workload> warmUpLoad,
        Effort effort,
        boolean keepBrokers,
        boolean bare,
        boolean memory) {

    private static final String SUFFIX = ".properties";

    /**
     * How much is measured, and for how long.
     *
     * @param warmUpSeconds how many seconds of the warm-up's load a variant gets at most
     * @param blocks how many blocks each start has at least
     * @param width how far above its value the 99 % interval of a ratio of the headline's costs may reach when the run
     *     ends: 0.08 is 8 %
     * @param seconds how many seconds the blocks of one start take at most
     * @param sliceSeconds how many seconds a slice is calibrated to
     * @param starts how often the stack is started
     */
    public record Effort(
            double warmUpSeconds, int blocks, double width, double seconds, double sliceSeconds, int starts) {}

    /** The names of the presets in a folder, sorted. */
    public static Set<String> names(Path folder) {
        return Cache.list(folder).stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> name.endsWith(SUFFIX))
                .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** @throws WorkloadException there is no such preset, or a line is wrong */
    public static Preset read(Path folder, String name) {
        return read(folder, name, Map.of());
    }

    /**
     * Reads a preset.
     *
     * @param options lines in place of the file's, by their keys, which the command's options have, too
     * @throws WorkloadException there is no such preset, or a line or an option is wrong
     */
    public static Preset read(Path folder, String name, Map<String, @Nullable String> options) {
        Set<String> names = names(folder);
        if (!names.contains(name)) {
            throw new WorkloadException(
                    "There is no preset '%s'. These are in %s: %s".formatted(name, folder, String.join(", ", names)));
        }
        Path file = folder.resolve(name + SUFFIX);
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new WorkloadException("%s: %s".formatted(file, e.getMessage()));
        }
        Lines lines = new Lines(file, properties, options, new TreeSet<>());
        Preset preset = new Preset(
                name,
                lines.read("workload", "", Workload::parseAll),
                lines.read("others", "", text -> text.isEmpty() ? List.of() : Workload.parseAll(text)),
                lines.read("variants", "", Preset::variants),
                lines.read(
                        "warm-up-load",
                        "",
                        text -> text.isEmpty() ? Optional.empty() : Optional.of(Workload.parse(text))),
                new Effort(
                        lines.read("warm-up", "0s", Durations::seconds),
                        lines.read("blocks", "20", Workload::whole),
                        lines.read("width", "8%", Preset::part),
                        lines.read("time", "", Durations::seconds),
                        lines.read("slice", "0.5s", Durations::seconds),
                        lines.read("starts", "1", Workload::whole)),
                lines.read("keep-brokers", "false", Preset::flag),
                lines.read("bare", "false", Preset::flag),
                lines.read("memory", "true", Preset::flag));
        lines.requireKnown();
        return preset;
    }

    /** The lines of a file, and the options in place of some of them. */
    private record Lines(Path file, Properties properties, Map<String, @Nullable String> options, Set<String> known) {

        <T> T read(String key, String otherwise, Function<String, T> reader) {
            known.add(key);
            String option = options.get(key);
            try {
                return reader.apply(
                        option == null ? properties.getProperty(key, otherwise).strip() : option);
            } catch (WorkloadException e) {
                throw new WorkloadException(
                        "%s: %s".formatted(option == null ? file + ": " + key : "--" + key, e.getMessage()));
            }
        }

        void requireKnown() {
            Set<String> unknown = new TreeSet<>(properties.stringPropertyNames());
            unknown.removeAll(known);
            if (!unknown.isEmpty()) {
                throw new WorkloadException("%s: '%s' is not known; known are %s"
                        .formatted(file, String.join("', '", unknown), String.join(", ", known)));
            }
        }
    }

    private static List<String> variants(String text) {
        return Stream.of(text.split(","))
                .map(String::strip)
                .filter(variant -> !variant.isEmpty())
                .toList();
    }

    private static boolean flag(String text) {
        Workload.require(text.matches("true|false"), "it must be true or false, but it is '%s'", text);
        return Boolean.parseBoolean(text);
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

    /** All workloads that are measured, those of the headline first. */
    public List<Workload> workloads() {
        return Stream.concat(headline.stream(), others.stream()).distinct().toList();
    }

    /** This preset with other workloads; one of the headline is not among the others. */
    private Preset with(Function<Workload, Stream<Workload>> change) {
        List<Workload> first = headline.stream().flatMap(change).distinct().toList();
        List<Workload> further = others.stream()
                .flatMap(change)
                .distinct()
                .filter(workload -> !first.contains(workload))
                .toList();
        return with(first, further, warmUpLoad);
    }

    private Preset with(List<Workload> headline, List<Workload> others, Optional<Workload> warmUpLoad) {
        return new Preset(name, headline, others, variants, warmUpLoad, effort, keepBrokers, bare, memory);
    }

    /**
     * Each workload with each of these numbers of calls per request, in place of its own.
     *
     * @throws WorkloadException a number is less than 1
     */
    public Preset withCalls(List<Integer> calls) {
        return with(workload -> calls.stream().map(number -> workload.with(Dimension.CALLS, number)));
    }

    /**
     * Each workload at this distance, in place of its own.
     *
     * @throws WorkloadException it is out of range
     */
    public Preset withDistance(int millis) {
        return with(workload -> Stream.of(workload.with(Dimension.DISTANCE, millis)));
    }

    /**
     * Each workload of the closed model with each of these numbers of users. Workloads of the open model stay, unless
     * there are no others.
     */
    public Preset withUsers(List<Integer> users) {
        boolean closed = workloads().stream().anyMatch(workload -> !workload.isOpen());
        return with(workload -> closed && workload.isOpen()
                ? Stream.of(workload)
                : users.stream().map(number -> workload.under(new Load.Users(number))));
    }

    /** Each workload at each of these rates. A rate needs no capacity, so the closed model is left out. */
    public Preset withRates(List<Double> perSecond) {
        return with(workload -> perSecond.stream().map(rate -> workload.under(new Load.Rate(rate))));
    }

    /** This preset with a warm-up load that the aggregator accepts. */
    public Preset accepted(int maxCalls, int maxRequests) {
        Optional<Workload> load = warmUpLoad.map(heavy -> {
            int users = heavy.load() instanceof Load.Users closed ? Math.min(closed.count(), maxRequests) : 1;
            return heavy.with(Dimension.CALLS, Math.min(heavy.calls(), maxCalls))
                    .under(new Load.Users(users));
        });
        return with(headline, others, load);
    }

    /**
     * The loads that warm up each variant that has their call mode. The programs of one-way messages have no part in
     * calls, so where there are both, the first of their workloads warms them up.
     */
    List<Workload> warmUpLoads() {
        Stream<Workload> messages = workloads().stream()
                .filter(workload -> workload.mode() == CallMode.QUEUE
                        && warmUpLoad
                                .filter(load -> load.mode() != CallMode.QUEUE)
                                .isPresent())
                .limit(1);
        return Stream.concat(warmUpLoad.stream(), messages).toList();
    }

    /** The longest distance of the workloads; 0 if none has a distance. */
    public int longestDistanceMillis() {
        return workloads().stream().mapToInt(Workload::distanceMillis).max().orElse(0);
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
        workloads().forEach(workload -> require(workload, maxCalls, maxRequests));
        require("blocks", effort.blocks, 1, 10_000, "1 to 10000");
        require("time", effort.seconds, 1, 86_400, "a second to a day (1440m)");
        require("slice", effort.sliceSeconds, 0.05, 60, "0.05 to 60 seconds");
        require("starts", effort.starts, 1, 100, "1 to 100");
        require("width", effort.width, 0.001, 100, "0.1% to 10000%");
        require("warm-up", effort.warmUpSeconds, 0, 3600, "0 seconds to an hour (60m)");
        if (warmUpLoad.isPresent() && effort.warmUpSeconds == 0) {
            throw new WorkloadException("warm-up-load needs a warm-up, which is its time, such as 60s");
        }
        if (warmUpLoad.filter(Workload::isOpen).isPresent()) {
            throw new WorkloadException(
                    "warm-up-load must be of the closed model (users=N), but it is '%s'".formatted(warmUpLoad.get()));
        }
    }

    private void require(Workload workload, int maxCalls, int maxRequests) {
        if (workload.mode() != CallMode.QUEUE) {
            require("calls", workload.calls(), 1, maxCalls, "1 to " + maxCalls + " (chatterbox.max-calls)");
        }
        if (workload.load() instanceof Load.Users users) {
            require("users", users.count(), 1, maxRequests, "1 to " + maxRequests + " (chatterbox.max-requests)");
        }
        if (workload.load() instanceof Load.Share
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
