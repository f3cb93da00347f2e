package dev.chatterbox.results;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where and with what a comparison was made. Its figures can be compared with those of another one if this is the same.
 *
 * @param versions by name: Chatterbox, the processes of brokers, Gatling, libraries; and what Netty reads sockets with
 * @param brokers what each broker took before it had carried anything, by name
 */
public record Environment(
        Machine machine,
        Java java,
        Map<String, String> versions,
        Git git,
        Settings settings,
        Map<String, Footprint> brokers) {

    /** An environment of which nothing is known. */
    public static final Environment NONE = new Environment(
            new Machine(null, null, null, null, null, null),
            new Java(null, null, Map.of()),
            Map.of(),
            new Git(null, null),
            new Settings(Map.of(), Map.of()),
            Map.of());

    public Environment {
        machine = machine == null ? NONE.machine : machine;
        java = java == null ? NONE.java : java;
        git = git == null ? NONE.git : git;
        settings = settings == null ? NONE.settings : settings;
        brokers = brokers == null ? Map.of() : brokers;
    }

    /**
     * @param os with the version of its kernel
     * @param loopbackMtu the largest packet between its processes, in bytes
     */
    public record Machine(
            @Nullable String os,
            @Nullable String cpu,
            @Nullable Integer cores,
            @Nullable Long memoryBytes,
            @Nullable Integer loopbackMtu,
            @Nullable Double loadAverageAtStart) {}

    /**
     * The Java of the aggregator.
     *
     * @param flags the flags of each JVM as they took effect, by process
     */
    public record Java(@Nullable String version, @Nullable String vendor, Map<String, String> flags) {}

    /**
     * What a broker takes that is only there: the clients of the variants are connected, and nothing was sent. What is not
     * known is null.
     *
     * @param ageSeconds since its process was started
     * @param idleBytes its memory in RAM, pages that it shares with other processes included
     * @param idleProportionalBytes the same, with its part of shared pages only; Linux alone tells it
     * @param installedBytes its program and its libraries on the disk, without a JDK or the system's libraries
     */
    public record Footprint(
            @Nullable Integer ageSeconds,
            @Nullable Long idleBytes,
            @Nullable Long idleProportionalBytes,
            @Nullable Long installedBytes) {}

    /** The revision of the checkout. */
    public record Git(@Nullable String revision, @Nullable Boolean dirty) {}

    /**
     * @param fanOut the aggregator's bounds, as it reports them
     * @param variants what {@code GET /transports} returned, by variant
     */
    public record Settings(
            Map<String, Object> fanOut, @JsonAlias("rows") Map<String, VariantSettings> variants) {}

    /** An element of {@code GET /transports}. */
    public record VariantSettings(
            @Nullable String name,
            @Nullable String kind,
            @Nullable String state,
            @Nullable String about,
            @JsonAlias("exchanges") List<String> modes,
            @Nullable String responder,
            @Nullable String broker,
            Map<String, Object> settings) {}
}
