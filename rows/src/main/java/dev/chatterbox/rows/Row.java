package dev.chatterbox.rows;

import dev.chatterbox.transport.Exchange;
import dev.chatterbox.transport.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a comparison sets beside another: a client with its settings, the responder behind it, the broker between them
 * if any.
 *
 * @param name names it everywhere: URL segment, metric tag {@code transport}, column
 * @param transport the transport that it is, or varies
 * @param about what it is, in one line
 * @param group when it is started
 * @param exchanges those that it has
 * @param client its class in the aggregator, below {@code dev.chatterbox.aggregator}
 * @param clientSettings the settings of the client, by name; values may hold placeholders of the aggregator's environment
 * @param settings what a comparison should know of it besides, by name, with an underscore for each space
 * @param bounds on its calls in flight, where they are not the aggregator's
 * @param responder the process that answers; empty where requester and responder are one
 * @param broker what stands between them, if anything does
 * @param address where the responder process is reached through the broker, by part ({@code subject}, {@code topic}, …)
 * @param aggregatorEnvironment the environment variables by which the aggregator reaches the responder;
 *     {@code ${port.<role>}} stands for a port of the responder
 * @param rawClient the main class of its bare client, in {@code raw-clients}, if it has one
 */
public record Row(
        String name,
        String transport,
        String about,
        Group group,
        Kind kind,
        List<Exchange> exchanges,
        String client,
        Map<String, String> clientSettings,
        Map<String, String> settings,
        Bounds bounds,
        Optional<Responder> responder,
        Optional<Broker> broker,
        Map<String, String> address,
        Map<String, String> aggregatorEnvironment,
        Optional<String> rawClient) {

    /** When a row is started. */
    public enum Group {
        /** Unless other rows are named. */
        DEFAULT,
        /** With {@code all}, or by its name. */
        ALL,
        /** By its name only. */
        OPT_IN;

        String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * Bounds on calls in flight, each 1 to 100,000; empty where the aggregator's own holds.
     *
     * @param perRequest calls of one request
     * @param inFlight calls of this row, over all requests
     */
    public record Bounds(OptionalInt perRequest, OptionalInt inFlight) {}

    /**
     * A responder process; rows whose responder has the same name share it.
     *
     * @param name of the process
     * @param program the folder that describes how it is started
     * @param ports by role, in place of the program's own
     * @param environment further environment variables of this process, besides those of the program's description
     */
    public record Responder(String name, String program, Map<String, Integer> ports, Map<String, String> environment) {}

    /**
     * A broker; rows whose broker has the same name share it.
     *
     * @param type its class in {@code local-brokers}
     */
    public record Broker(String name, String type) {}

    /**
     * A part of the responder's address.
     *
     * @throws RowException the row has no such part
     */
    public String address(String part) {
        String value = address.get(part);
        if (value == null) {
            throw new RowException("rows/%s.properties: address.%s is missing.".formatted(name, part));
        }
        return value;
    }
}
