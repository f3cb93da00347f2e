package dev.chatterbox.variants;

import dev.chatterbox.transport.CallMode;
import dev.chatterbox.transport.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A variant of a comparison: a client with its settings, its responder, and the broker between the two if there is one.
 *
 * @param name identifies the variant everywhere: in URLs, as the metric tag {@code transport}, and as a column
 * @param transport the transport that this variant is, or that it is a variant of
 * @param about describes the variant in one line
 * @param group says when the variant is started
 * @param outlives what a request outlives before it is answered
 * @param modes the call modes that the client supports
 * @param client the client's class, below {@code dev.chatterbox}
 * @param clientSettings the client's settings, by name; values may hold placeholders of the aggregator's environment
 * @param settings further facts that a reader of a comparison needs, by name; an underscore stands for each space
 * @param bounds on the variant's calls in flight, if they differ from the aggregator's
 * @param responder the process that answers; empty if requester and responder are one process
 * @param broker the broker between requester and responder, if there is one
 * @param address the responder's address at the broker, by part ({@code subject}, {@code topic}, …)
 * @param aggregatorEnvironment the environment variables by which the aggregator reaches the responder;
 *     {@code ${port.<role>}} stands for a port of the responder
 * @param queue how its one-way messages travel, if it has the call mode {@code queue}
 * @param rawClient the main class of the variant's bare client, in {@code bench/clients}, if it has one
 */
public record Variant(
        String name,
        String transport,
        String about,
        Group group,
        Kind kind,
        Outlives outlives,
        List<CallMode> modes,
        String client,
        Map<String, String> clientSettings,
        Map<String, String> settings,
        Bounds bounds,
        Optional<Responder> responder,
        Optional<Broker> broker,
        Map<String, String> address,
        Map<String, String> aggregatorEnvironment,
        Optional<Queue> queue,
        Optional<String> rawClient) {

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
     */
    public record Responder(String name, String program, Map<String, Integer> ports, Map<String, String> environment) {}

    /**
     * A broker; variants whose broker has the same name share it.
     *
     * @param type its class in {@code bench/stack}
     * @param nodes how many processes it has; more than one form a cluster
     */
    public record Broker(String name, String type, int nodes) {

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
     */
    public record Queue(String type, Map<String, String> settings, Optional<String> python) {}

    /**
     * A part of the responder's address.
     *
     * @throws VariantException the variant has no such part
     */
    public String address(String part) {
        String value = address.get(part);
        if (value == null) {
            throw new VariantException("variants/%s.properties: address.%s is missing.".formatted(name, part));
        }
        return value;
    }
}
