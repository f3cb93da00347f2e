package dev.chatterbox.load;

/**
 * A fixed number of users, each with one request at a time: for capacity. The properties are in
 * {@link SimulationSettings}.
 */
public final class ClosedModelSimulation extends StandaloneSimulation {

    public ClosedModelSimulation() {
        super(SimulationSettings.ofSystem().closed());
    }
}
