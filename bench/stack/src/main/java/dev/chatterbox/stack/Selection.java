package dev.chatterbox.stack;

import dev.chatterbox.processes.LoopDisk;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.VariantException;
import dev.chatterbox.variants.Variants;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The variants that a command uses.
 *
 * @param variants the variants, by name
 * @param chosen the words by which a person chose the variants: names, {@link Variants#ALL} or {@link Variants#EACH};
 *     none means the variants that are started by default
 * @param replicas how many processes a service has, by its name; one if it is not here
 * @param traces the share of the requests that the aggregator traces, 0 to 1
 * @param disks whether the data of each broker are on a {@link LoopDisk}
 */
public record Selection(
        List<Variant> variants, List<String> chosen, Map<String, Integer> replicas, double traces, boolean disks) {

    /** OpenTelemetry's own variables, which name the collector of traces. Every service reads them. */
    public static final List<String> COLLECTORS =
            List.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");

    /** Their ports must not reach those of other services. */
    static final int MOST_REPLICAS = 9;

    /** @throws VariantException a word names no variant */
    public static Selection of(Variants variants, List<String> chosen) {
        return new Selection(variants.choose(chosen), List.copyOf(chosen), Map.of(), 0, false);
    }

    /**
     * The same variants, started in another way; the parameters are those of the record.
     *
     * @throws UsageException the variants have no such service, or a number is out of range
     */
    public Selection with(Map<String, Integer> replicas, double traces, boolean disks) {
        replicas.forEach((service, number) -> {
            if (!services().contains(service)) {
                throw new UsageException("--replicas %s=%d: these variants have no such service; they have %s."
                        .formatted(service, number, String.join(", ", services())));
            }
            if (number < 1 || number > MOST_REPLICAS) {
                throw new UsageException(
                        "--replicas %s=%d: must be 1 to %d.".formatted(service, number, MOST_REPLICAS));
            }
        });
        if (!(traces >= 0 && traces <= 1)) {
            throw new UsageException("--traces %s: must be 0 to 1, such as 0.01 for a hundredth.".formatted(traces));
        }
        return new Selection(variants, chosen, Map.copyOf(replicas), traces, disks);
    }

    private Set<String> services() {
        Set<String> services = new TreeSet<>(Set.of(Repository.AGGREGATOR));
        variants.forEach(variant -> variant.responder().ifPresent(responder -> services.add(responder.name())));
        return services;
    }

    int replicas(String service) {
        return replicas.getOrDefault(service, 1);
    }

    public List<String> names() {
        return variants.stream().map(Variant::name).toList();
    }

    /** Whether the variant was chosen by its name or by default, and not only as one of all: then it must start. */
    boolean requires(Variant variant) {
        return chosen.contains(variant.name()) || !chosen.contains(Variants.ALL) && !chosen.contains(Variants.EACH);
    }

    /** The command line's options that choose this. */
    public String option() {
        return (chosen.isEmpty() ? "" : " --transports " + String.join(",", chosen))
                + new TreeMap<>(replicas)
                        .entrySet().stream()
                                .map(entry -> " --replicas " + entry)
                                .collect(Collectors.joining())
                + (traces == 0 ? "" : " --traces " + traces)
                + (disks ? " --disks" : "");
    }
}
