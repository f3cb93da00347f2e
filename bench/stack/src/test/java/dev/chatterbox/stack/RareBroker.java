package dev.chatterbox.stack;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.Launch;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.ProcessException;
import java.util.Map;

/** A broker that no machine has. */
public final class RareBroker implements Broker {

    @Override
    public String name() {
        return "rare";
    }

    @Override
    public Map<String, Integer> defaultPorts() {
        return Map.of("client", 7700);
    }

    @Override
    public String origin() {
        throw new ProcessException("rare is not on this machine.\nAny one of these gives it:\n  - a miracle");
    }

    @Override
    public void obtain() {
        origin();
    }

    @Override
    public Probe probe() {
        return new Probe("are you rare?", "yes");
    }

    @Override
    public Map<String, String> environment(Map<String, Integer> ports) {
        return Map.of("RARE_SERVER", "localhost:" + ports.get("client"));
    }

    @Override
    public RunningBroker start(Launch launch) {
        throw new AssertionError("must not be started");
    }
}
