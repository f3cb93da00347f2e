package dev.chatterbox.results;

import java.util.List;

/** What a process is in a comparison, as the figures by role name it. */
public final class Role {

    public static final String GENERATOR = "generator";
    public static final String AGGREGATOR = "aggregator";
    public static final String RESPONDER = "responder";
    public static final String BROKER = "broker";

    /** What was put between the processes for a distance: beside the system, as the generator. */
    public static final String NETWORK = "network";

    /** The bare client of a raw limit, in place of generator and aggregator. */
    public static final String CLIENT = "client";

    /** In the order in which a call passes them. */
    public static final List<String> ALL = List.of(GENERATOR, AGGREGATOR, RESPONDER, BROKER);

    /**
     * The system that is ranked, with a bare client in the aggregator's place. The generator stands beside it and is in
     * no sum.
     */
    public static final List<String> SYSTEM = List.of(AGGREGATOR, CLIENT, RESPONDER, BROKER);

    private Role() {}
}
