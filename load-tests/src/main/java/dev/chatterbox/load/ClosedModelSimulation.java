package dev.chatterbox.load;

import static io.gatling.javaapi.core.CoreDsl.global;

/** A fixed number of users, each with one request at a time: for capacity. The properties are in {@link Settings}. */
public final class ClosedModelSimulation extends CellSimulation {

    public ClosedModelSimulation() {
        this(Settings.ofSystem().closed());
    }

    private ClosedModelSimulation(Plan plan) {
        super(plan, new RunFile("closed", plan, ClosedModelSimulation.class));
        gatling().assertions(global().failedRequests().count().is(0L));
    }
}
