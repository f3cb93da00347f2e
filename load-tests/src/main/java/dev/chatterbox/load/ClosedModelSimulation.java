package dev.chatterbox.load;

import static io.gatling.javaapi.core.CoreDsl.global;

/**
 * A fixed number of users, each with one request at a time: for capacity. The properties are in
 * {@link SimulationSettings}.
 */
public final class ClosedModelSimulation extends LoadSimulation {

    public ClosedModelSimulation() {
        this(SimulationSettings.ofSystem().closed());
    }

    private ClosedModelSimulation(LoadPlan plan) {
        super(plan, new RunFile("closed", plan, ClosedModelSimulation.class));
        gatling().assertions(global().failedRequests().count().is(0L));
    }
}
