package dev.chatterbox.report.claims;

import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A published claim: a file in {@code workloads/claims}. Each ratio says how many times better the first of two systems
 * is than the second. A claim that can be run here names two pairs of variants: one as published, and one repaired,
 * which differs in the setting that is thought to carry the claim.
 *
 * <p>Its texts, by their keys in the file:
 *
 * <ul>
 *   <li>{@code source}: the short name of the publication
 *   <li>{@code systems}: the two
 *   <li>{@code claim}: what it says, with its figures
 *   <li>{@code conditions}: how it was measured, as far as it is known
 *   <li>{@code class}: A: variants and workloads suffice; B: it needs one-way messages or a variant as published; C: it
 *       needs clusters, topics or subscriptions; X: two cores show only sign and shape
 *   <li>{@code hypothesis}: what must be equal or different for it to hold, as we thought before the run
 *   <li>{@code seen}: what became of the hypothesis in the run that docs/claims.md shows; of a claim that cannot be run
 *       here, what other commands showed; empty before that
 *   <li>{@code not-comparable}: the condition that decides the published figure and cannot be had here; empty if there
 *       is none
 *   <li>{@code needs}: what is missing before it can be run here; empty if nothing is
 * </ul>
 *
 * @param id such as "1.1": the source's number and the claim's; "1.1-3" is what the same claim says of three nodes,
 *     and "1.1-b" of another system
 * @param trial how it is run; empty if something is missing
 */
public record Claim(String id, Map<String, String> texts, Optional<Trial> trial) {

    private static final String SUFFIX = ".properties";
    private static final List<String> TEXTS =
            List.of("source", "systems", "claim", "conditions", "class", "hypothesis");
    private static final List<String> TRIAL =
            List.of("run", "workloads", "against", "measure", "ratio", "published", "repaired", "setting");

    /** The ratio of a claim without a figure: it says only which is better. */
    public static final double SIGN_ONLY = 1;

    /** The figure whose ratio is compared. */
    public enum Measure {
        /** Calls, or messages until all are consumed, per second: of the first ÷ of the second. */
        THROUGHPUT,
        /** CPU time of a call: of the second ÷ of the first. */
        CPU,
        /** The median latency of a request: of the second ÷ of the first. */
        P50,
        /** The median time of a queue's message from its making to its consumer: of the second ÷ of the first. */
        ONE_WAY,
        /** The memory of the variant's broker before it has carried anything: of the second ÷ of the first. */
        IDLE,
        /** The most memory that the variant's broker had after a slice: of the second ÷ of the first. */
        MEMORY,
        /** The bytes that the variant's broker wrote to the disk for a call: of the second ÷ of the first. */
        WRITTEN,
        /** The CPU time of the variant's broker for a call: of the second ÷ of the first. */
        BROKER,
        /** What the variant's broker takes on the disk: of the second ÷ of the first. */
        INSTALLED,
        /** Requests per second after the aggregator and the responders were started again ÷ before; of one variant. */
        SECOND_RUN,
        /** The 95th percentile of the time of a request over the slices ÷ its mean; of one variant. */
        SPREAD;

        private static Measure parse(String text) {
            List<String> names = Stream.of(values()).map(Measure::toString).toList();
            Workload.require(
                    names.contains(text), "measure is '%s', but must be one of %s", text, String.join(", ", names));
            return values()[names.indexOf(text)];
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Two variants: how many times better is the first than the second? */
    public record Pair(String better, String worse) {

        static Pair parse(String text) {
            String[] variants = text.strip().split("\\s+");
            Workload.require(variants.length == 2, "'%s' must be two variants with a space between them", text);
            return new Pair(variants[0], variants[1]);
        }

        @Override
        public String toString() {
            return better.equals(worse) ? better : better + " and " + worse;
        }
    }

    /**
     * One published ratio.
     *
     * @param ratio {@link #SIGN_ONLY} if the source says only which is better
     * @param workload of the first variant
     * @param against of the second variant
     */
    public record Case(double ratio, Workload workload, Workload against) {

        public Case {
            Workload.require(ratio >= SIGN_ONLY, "a ratio must be 1 or more; it is %s", ratio);
        }
    }

    /**
     * How the claim is run.
     *
     * @param run the preset that measures it, with others of the same stack
     * @param setting what is thought to carry the claim, in which the two pairs differ
     */
    public record Trial(String run, Measure measure, List<Case> cases, Pair published, Pair repaired, String setting) {

        /** All variants that it needs. */
        public Set<String> variants() {
            return new TreeSet<>(List.of(published.better, published.worse, repaired.better, repaired.worse));
        }
    }

    /**
     * All claims of a folder, in the order of their numbers.
     *
     * @throws WorkloadException a file is wrong
     */
    public static List<Claim> read(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .map(Claim::of)
                    .sorted(Comparator.comparing((Claim claim) -> claim.part(0))
                            .thenComparing(claim -> claim.part(1))
                            .thenComparing(Claim::id))
                    .toList();
        } catch (IOException e) {
            throw new WorkloadException("%s cannot be read: %s".formatted(folder, e.getMessage()));
        }
    }

    private int part(int which) {
        return Integer.parseInt(id.split("[.-]")[which]);
    }

    /** One of its texts; empty if the file has none. */
    public String text(String key) {
        return texts.getOrDefault(key, "").strip();
    }

    private static Claim of(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
            return of(file.getFileName().toString().replace(SUFFIX, ""), properties);
        } catch (IOException | IllegalArgumentException | WorkloadException e) {
            throw new WorkloadException("%s: %s".formatted(file, e.getMessage()));
        }
    }

    private static Claim of(String id, Properties properties) {
        Workload.require(
                id.matches("[0-9]+\\.[0-9]+(-[3bc])?"),
                "a claim's file is named like 1.1.properties, 1.1-3.properties or 1.1-b.properties");
        Set<String> known = Stream.of(TEXTS, TRIAL, List.of("seen", "needs", "not-comparable"))
                .flatMap(List::stream)
                .collect(Collectors.toCollection(TreeSet::new));
        for (String key : properties.stringPropertyNames()) {
            Workload.require(known.contains(key), "'%s' is not known; known are %s", key, String.join(", ", known));
        }
        boolean waits = properties.containsKey("needs");
        Workload.require(waits != properties.containsKey("run"), "it must say either how it is run or what it needs");
        TEXTS.forEach(key -> required(properties, key));
        Map<String, String> texts = properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(key -> key, properties::getProperty));
        return new Claim(id, texts, waits ? Optional.empty() : Optional.of(trial(properties)));
    }

    private static Trial trial(Properties properties) {
        List<Workload> workloads = parse(required(properties, "workloads"));
        List<Workload> against = parse(properties.getProperty("against", required(properties, "workloads")));
        String[] ratios = required(properties, "ratio").split(",");
        Workload.require(
                ratios.length == workloads.size() && against.size() == workloads.size(),
                "each workload needs a ratio: there are %s ratios for %s workloads",
                ratios.length,
                workloads.size());
        return new Trial(
                required(properties, "run"),
                Measure.parse(required(properties, "measure")),
                IntStream.range(0, ratios.length)
                        .mapToObj(
                                i -> new Case(Double.parseDouble(ratios[i].strip()), workloads.get(i), against.get(i)))
                        .toList(),
                Pair.parse(required(properties, "published")),
                Pair.parse(required(properties, "repaired")),
                required(properties, "setting"));
    }

    /** In the order of the file, which is that of the ratios. */
    private static List<Workload> parse(String text) {
        return Stream.of(text.split(";"))
                .map(workload -> Workload.parse(workload.strip()))
                .toList();
    }

    private static String required(Properties properties, String key) {
        String value = properties.getProperty(key, "").strip();
        Workload.require(!value.isEmpty(), "%s is missing", key);
        return value;
    }
}
