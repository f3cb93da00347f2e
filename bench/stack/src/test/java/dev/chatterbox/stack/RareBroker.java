package dev.chatterbox.stack;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.Node;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.ProcessException;
import java.util.List;
import java.util.Map;

/** A broker whose program no machine has. */
public final class RareBroker extends Broker {

    public RareBroker() {
        super("rare", "Rare", new Probe("are you rare?", "yes"), Map.of("client", 7700));
    }

    @Override
    public String origin() {
        throw new ProcessException("rare is not on this machine.\nAny one of these gives it:\n  - a miracle");
    }

    @Override
    public Map<String, String> environment(List<Map<String, Integer>> nodes) {
        return Map.of("RARE_SERVER", "localhost:" + nodes.get(0).get("client"));
    }

    @Override
    public String version(Node node, long pid) {
        throw new AssertionError("must not be started");
    }

    @Override
    protected ProcessBuilder command(Node node) {
        throw new AssertionError("must not be started");
    }
}
