package dev.chatterbox.load;

import static io.gatling.javaapi.core.CoreDsl.global;

/** A fixed number of requests a second, whatever becomes of them: for latency. The properties are in {@link Settings}. */
public final class OpenModelSimulation extends CellSimulation {

    public OpenModelSimulation() {
        this(Settings.ofSystem().open());
    }

    private OpenModelSimulation(Plan plan) {
        super(plan, new RunFile("open", plan, OpenModelSimulation.class));
        gatling().assertions(global().failedRequests().count().is(0L));
    }
}
