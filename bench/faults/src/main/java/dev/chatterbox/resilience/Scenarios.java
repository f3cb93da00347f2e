package dev.chatterbox.resilience;

import dev.chatterbox.stack.UsageException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The scenarios of the command {@code resilience}, by the names by which a person chooses them. */
public final class Scenarios {

    /** Chooses all cases of one-way messages; without being named they do not run. */
    private static final String QUEUE = "queue";

    private Scenarios() {}

    /**
     * Those with these names, in the order in which they are carried out.
     *
     * @param names if there are none, all but those of one-way messages are chosen
     * @param phase how long the nodes of a cluster are all there, away and back
     * @throws UsageException there is no scenario with one of these names
     */
    public static List<Scenario> named(List<String> names, Duration phase) {
        List<Scenario> requests = Stream.<Scenario>concat(FaultCases.ALL.stream(), NodeCase.all(phase).stream())
                .toList();
        List<Scenario> messages = List.copyOf(QueueCase.all());
        List<Scenario> all = Stream.of(requests, messages).flatMap(List::stream).toList();
        String known = Stream.concat(all.stream().map(Scenario::name), Stream.of(QUEUE))
                .distinct()
                .collect(Collectors.joining(", "));
        for (String name : names) {
            if (!name.equals(QUEUE)
                    && all.stream().noneMatch(scenario -> scenario.name().equals(name))) {
                throw new UsageException("There is no case '%s'. There are: %s".formatted(name, known));
            }
        }
        return names.isEmpty()
                ? requests
                : all.stream()
                        .filter(scenario ->
                                names.contains(scenario.name()) || names.contains(QUEUE) && messages.contains(scenario))
                        .toList();
    }
}
