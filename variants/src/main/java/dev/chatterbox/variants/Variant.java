package dev.chatterbox.variants;

import dev.chatterbox.transport.CallMode;
import dev.chatterbox.transport.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A variant of a comparison: a client with its settings, its responder, and the broker between the two if there is one.
 *
 * @param name identifies the variant everywhere: in URLs, as the metric tag {@code transport}, and as a column
 * @param transport the transport that this variant is, or that it is a variant of
 * @param description what people see of it
 * @param modes the call modes that the client supports
 * @param responder the process that answers; empty if requester and responder are one process
 * @param broker the broker between requester and responder, if there is one
 * @param queue how its one-way messages travel, if it has the call mode {@code queue}
 */
public record Variant(
        String name,
        String transport,
        Description description,
        List<CallMode> modes,
        Client client,
        Optional<Responder> responder,
        Optional<Broker> broker,
        Optional<Queue> queue) {

    /** Those of a variant's file; each that ends with a dot stands for several. */
    static final Set<String> KEYS =
            Set.of(("transport about group kind outlives settings. modes client client. raw-client"
                            + " bounds.per-request bounds.in-flight aggregator.env. responder responder.name responder.port."
                            + " responder.env. address. broker broker.class broker.nodes queue queue.")
                    .split(" "));

    private static final String CLASS = "[\\w.]+";

    /** The key of a queue's Python module, below that of its settings. */
    private static final String PYTHON = "python";

    /** The largest bound on calls in flight, as for the aggregator's own. */
    private static final int LARGEST_BOUND = 100_000;

    /** The ports of more nodes would meet those of others. */
    private static final int MOST_NODES = 9;

    /** @throws VariantException a value is wrong */
    static Variant of(String name, PropertiesFile file) {
        return new Variant(
                name,
                file.text("transport"),
                Description.of(file),
                Stream.of(file.text("modes").split(","))
                        .map(text -> PropertiesFile.oneOf("modes", text.strip(), CallMode.values(), CallMode::text))
                        .toList(),
                Client.of(file),
                file.optional("responder").map(folder -> Responder.of(folder, file)),
                file.optional("broker").map(broker -> Broker.of(broker, file)),
                file.optional("queue").map(type -> Queue.of(file)));
    }

    /** When a variant is started. */
    public enum Group {
        /** Started if no other variants are named. */
        DEFAULT,
        /** Started with {@code all}, or by its name. */
        ALL,
        /** Started by its name only. */
        OPT_IN,
        /** Has settings as somebody published them: started with {@code claims}, or by its name; never ranked. */
        CLAIMS;

        String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * What people see of a variant, and when it is started.
     *
     * @param about describes the variant in one line
     * @param outlives what a request outlives before it is answered
     * @param settings further facts that a reader of a comparison needs, by name; an underscore stands for each space
     */
    public record Description(String about, Group group, Kind kind, Outlives outlives, Map<String, String> settings) {

        private static Description of(PropertiesFile file) {
            Map<String, String> settings = file.below("settings.");
            file.optional("broker.nodes").ifPresent(nodes -> settings.put("nodes", nodes));
            return new Description(
                    file.require("about", ".+"),
                    PropertiesFile.oneOf(
                            "group", file.optional("group").orElse(Variants.ALL), Group.values(), Group::text),
                    PropertiesFile.oneOf("kind", file.text("kind"), Kind.values(), Kind::text),
                    Outlives.of(file, "outlives"),
                    settings);
        }
    }

    /**
     * The client in the aggregator.
     *
     * @param type its class, below {@code dev.chatterbox}
     * @param settings by name; values may hold placeholders of the aggregator's environment
     * @param bounds on the variant's calls in flight, if they differ from the aggregator's
     * @param environment the environment variables by which the aggregator reaches the responder;
     *     {@code ${port.<role>}} stands for a port of the responder
     * @param bare the main class of the variant's bare client, in {@code bench/clients}, if it has one
     */
    public record Client(
            String type,
            Map<String, String> settings,
            Bounds bounds,
            Map<String, String> environment,
            Optional<String> bare) {

        private static Client of(PropertiesFile file) {
            return new Client(
                    file.require("client", "[a-z][a-z0-9]*(\\.[a-z][a-z0-9]*)*\\.[A-Z]\\w*"),
                    file.below("client."),
                    new Bounds(bound("bounds.per-request", file), bound("bounds.in-flight", file)),
                    file.below("aggregator.env."),
                    file.optional("raw-client"));
        }

        private static OptionalInt bound(String key, PropertiesFile file) {
            return file.optional(key).isEmpty() ? OptionalInt.empty() : OptionalInt.of(file.number(key, LARGEST_BOUND));
        }
    }

    /**
     * Bounds on calls in flight, each 1 to 100,000; an empty one means that the aggregator's own bound applies.
     *
     * @param perRequest calls of one request
     * @param inFlight calls of this variant, over all requests
     */
    public record Bounds(OptionalInt perRequest, OptionalInt inFlight) {}

    /**
     * A responder process; variants whose responder has the same name share it.
     *
     * @param name of the process
     * @param program the folder that describes how it is started
     * @param ports by role; they replace the program's own
     * @param environment environment variables of this process, added to those of the program's description
     * @param address its address at the broker, by part ({@code subject}, {@code topic}, …)
     */
    public record Responder(
            String name,
            String program,
            Map<String, Integer> ports,
            Map<String, String> environment,
            Map<String, String> address) {

        private static Responder of(String folder, PropertiesFile file) {
            return new Responder(
                    file.optional("responder.name").orElse(folder.substring(folder.lastIndexOf('/') + 1)),
                    folder,
                    file.ports("responder.port."),
                    file.below("responder.env."),
                    file.below("address."));
        }
    }

    /**
     * A broker; variants whose broker has the same name share it.
     *
     * @param type its class in {@code bench/stack}
     * @param nodes how many processes it has; more than one form a cluster
     */
    public record Broker(String name, String type, int nodes) {

        private static Broker of(String name, PropertiesFile file) {
            int nodes = file.optional("broker.nodes").isEmpty() ? 1 : file.number("broker.nodes", MOST_NODES);
            return new Broker(name, file.require("broker.class", CLASS), nodes);
        }

        /** Whether it is a cluster. */
        public boolean isCluster() {
            return nodes > 1;
        }
    }

    /**
     * How one-way messages travel.
     *
     * @param type the class that produces and consumes them
     * @param settings in addition to those of the client, by name
     * @param python the module of the responder's program that consumes them in its place, if there is one
     * @param outlives what they outlive; the same as requests, if the file does not say it
     */
    public record Queue(String type, Map<String, String> settings, Optional<String> python, Outlives outlives) {

        private static Queue of(PropertiesFile file) {
            Map<String, String> settings = file.below("queue.");
            Optional<String> python = Optional.ofNullable(settings.remove(PYTHON));
            Outlives outlives = settings.remove("outlives") == null
                    ? Outlives.of(file, "outlives")
                    : Outlives.of(file, "queue.outlives");
            return new Queue(file.require("queue", CLASS), settings, python, outlives);
        }
    }

    /** What one of its requests of this call mode outlives before it is answered, or one of its one-way messages. */
    public Outlives outlives(CallMode mode) {
        return queue.filter(messages -> mode == CallMode.QUEUE)
                .map(Queue::outlives)
                .orElse(description.outlives);
    }

    /** The responder's address at the broker, by part; empty if there is no responder. */
    public Map<String, String> address() {
        return responder.map(Responder::address).orElse(Map.of());
    }

    /**
     * A part of the responder's address.
     *
     * @throws VariantException the variant has no such part
     */
    public String address(String part) {
        String value = address().get(part);
        if (value == null) {
            throw new VariantException("variants/%s.properties: address.%s is missing.".formatted(name, part));
        }
        return value;
    }
}
