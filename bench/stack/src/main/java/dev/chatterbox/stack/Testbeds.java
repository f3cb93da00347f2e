package dev.chatterbox.stack;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The stack of a comparison, or those of two checkouts that are compared with each other. */
public final class Testbeds implements AutoCloseable {

    private final Map<String, Testbed> testbeds = new LinkedHashMap<>();

    private Testbeds() {}

    /**
     * Opens a testbed for each side, one after the other: the second cannot have the ports of the first.
     *
     * @param sides checkouts by the names of their sides
     * @param offset of the first one's ports, as {@link Testbed#open} takes it
     */
    public static Testbeds open(
            Map<String, Repository> sides,
            Optional<Integer> offset,
            List<String> names,
            int distanceMillis,
            Steps steps) {
        Testbeds all = new Testbeds();
        try {
            for (Map.Entry<String, Repository> side : sides.entrySet()) {
                Optional<Integer> own = all.testbeds.isEmpty() ? offset : Optional.empty();
                all.testbeds.put(side.getKey(), Testbed.open(side.getValue(), own, names, distanceMillis, steps));
            }
            return all;
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
    }

    /** @throws UsageException one of the stacks was running before, so that it cannot be started again */
    public void requireOwn() {
        testbeds.values().stream().filter(testbed -> !testbed.own()).findFirst().ifPresent(testbed -> {
            throw new UsageException(
                    "Several starts, or two versions, need stacks that compare starts itself: %s first."
                            .formatted(testbed.stack().command("down")));
        });
    }

    /** Ends the aggregators and the responders, and starts new ones. The brokers stay, with what they have learnt. */
    public void restartServices(Control control) {
        testbeds.values().forEach(testbed -> testbed.restartServices(control));
    }

    /** The variants that all testbeds have. */
    public List<String> variants() {
        List<String> variants =
                new ArrayList<>(testbeds.values().iterator().next().variants());
        testbeds.values().forEach(testbed -> variants.retainAll(testbed.variants()));
        return variants;
    }

    /** The target of each side. */
    public Map<String, Target> targets() {
        Map<String, Target> targets = new LinkedHashMap<>();
        testbeds.forEach((side, testbed) -> targets.put(side, testbed.target()));
        return targets;
    }

    @Override
    public void close() {
        List<Testbed> last = new ArrayList<>(testbeds.values());
        Collections.reverse(last);
        last.forEach(Testbed::close);
    }
}
