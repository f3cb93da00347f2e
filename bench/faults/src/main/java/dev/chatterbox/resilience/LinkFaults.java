package dev.chatterbox.resilience;

import dev.chatterbox.network.NetworkLink;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.ProcessException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Breaks the links of one variant, and remembers for each broken link how to repair it. */
final class LinkFaults {

    private final Toxiproxy network;
    private final String variant;
    private final Map<String, Runnable> repairs = new LinkedHashMap<>();

    LinkFaults(Toxiproxy network, String variant) {
        this.network = network;
        this.variant = variant;
    }

    void cut() {
        breakEach(network::cut, network::join);
    }

    void silence() {
        breakEach(network::silence, network::unsilence);
    }

    /** @param millis the delay that is added to each round trip */
    void delay(int millis) {
        breakEach(link -> network.setDistance(link, millis), link -> network.setDistance(link, 0));
    }

    /** The repair is noted before the fault is made: even if the fault reports an error, the link may be broken. */
    private void breakEach(Consumer<String> fault, Consumer<String> repair) {
        List<String> links = network.links().stream()
                .filter(link -> link.variants().contains(variant))
                .map(NetworkLink::name)
                .toList();
        for (String link : links) {
            repairs.put(link, () -> repair.accept(link));
            fault.accept(link);
        }
    }

    /**
     * Repairs all links that were broken. If one cannot be repaired, the others are, and the next call tries that one
     * again.
     *
     * @throws ProcessException one could not be repaired
     */
    void repair() {
        List<String> failures = new ArrayList<>();
        repairs.values().removeIf(repair -> {
            try {
                repair.run();
                return true;
            } catch (ProcessException e) {
                failures.add(e.line());
                return false;
            }
        });
        if (!failures.isEmpty()) {
            throw new ProcessException(String.join("; ", failures));
        }
    }
}
