package dev.chatterbox.results;

import java.util.List;

/** The roles of the processes in a comparison, as the figures name them. */
public final class Role {

    public static final String GENERATOR = "generator";
    public static final String AGGREGATOR = "aggregator";
    public static final String RESPONDER = "responder";
    public static final String BROKER = "broker";

    /** The proxy between the processes that makes a distance. Like the generator, it is no part of the system. */
    public static final String NETWORK = "network";

    /** A bare client, in place of generator and aggregator. */
    public static final String CLIENT = "client";

    /** The program that publishes one-way messages, in place of generator and aggregator. */
    public static final String PRODUCER = "producer";

    /** The program that consumes them, in place of the responder. */
    public static final String CONSUMER = "consumer";

    /** The roles of a variant's processes, in the order in which a call passes them. */
    public static final List<String> ALL = List.of(GENERATOR, AGGREGATOR, RESPONDER, BROKER);

    /** The system that is ranked. The generator is in no sum. */
    public static final List<String> SYSTEM = List.of(AGGREGATOR, CLIENT, RESPONDER, BROKER, PRODUCER, CONSUMER);

    private Role() {}
}
