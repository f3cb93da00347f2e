package dev.chatterbox.load;

/**
 * A fixed number of requests per second, whether they are answered or not: for latency. The properties are in
 * {@link SimulationSettings}.
 */
public final class OpenModelSimulation extends StandaloneSimulation {

    public OpenModelSimulation() {
        super(SimulationSettings.ofSystem().open());
    }
}
