package dev.chatterbox.resilience;

import dev.chatterbox.stack.UsageException;
import java.util.List;
import java.util.stream.Stream;

/** All scenarios, by the names by which a person chooses them. */
final class Scenarios {

    private static final List<Scenario> ALL = Stream.<Scenario>concat(FaultCases.ALL.stream(), NodeCase.ALL.stream())
            .toList();

    private Scenarios() {}

    /** Those with these names, in the order in which they are carried out; all if there is no name. */
    static List<Scenario> named(List<String> names) {
        return ALL.stream()
                .filter(scenario -> names.isEmpty() || names.contains(scenario.name()))
                .toList();
    }

    /** @throws UsageException there is no case with one of these names */
    static void requireKnown(List<String> names) {
        List<String> known = Stream.concat(ALL.stream().map(Scenario::name), QueueCase.names())
                .toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new UsageException(
                        "There is no case '%s'. There are: %s".formatted(name, String.join(", ", known)));
            }
        }
    }
}
