package dev.chatterbox.load;

/**
 * A fixed number of requests a second, whatever becomes of them: for latency. The properties are in
 * {@link SimulationSettings}.
 */
public final class OpenModelSimulation extends StandaloneSimulation {

    public OpenModelSimulation() {
        super(SimulationSettings.ofSystem().open());
    }
}
