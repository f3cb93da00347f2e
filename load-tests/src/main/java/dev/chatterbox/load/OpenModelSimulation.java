package dev.chatterbox.load;

import static io.gatling.javaapi.core.CoreDsl.global;

/**
 * A fixed number of requests a second, whatever becomes of them: for latency. The properties are in
 * {@link SimulationSettings}.
 */
public final class OpenModelSimulation extends LoadSimulation {

    public OpenModelSimulation() {
        this(SimulationSettings.ofSystem().open());
    }

    private OpenModelSimulation(LoadPlan plan) {
        super(plan, new RunFile("open", plan, OpenModelSimulation.class));
        gatling().assertions(global().failedRequests().count().is(0L));
    }
}
