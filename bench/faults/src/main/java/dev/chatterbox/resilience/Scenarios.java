package dev.chatterbox.resilience;

import dev.chatterbox.stack.UsageException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The scenarios of the command {@code resilience}, by the names by which a person chooses them. */
public final class Scenarios {

    /** Chooses all cases in which one-way messages are broken. */
    private static final String QUEUE = "queue";

    private static final Duration PHASE = Duration.ofSeconds(60);
    private static final Duration HELD = Duration.ofSeconds(10);

    private Scenarios() {}

    /**
     * Those with these names, in the order in which they are carried out.
     *
     * @param names if there are none, all but those of one-way messages are chosen
     * @param phase how long the nodes of a cluster are all there, away and back, consumers are held, or messages are
     *     published before a disk fails
     * @throws UsageException there is no scenario with one of these names
     */
    public static List<Scenario> named(List<String> names, Optional<Duration> phase) {
        List<Scenario> requests = all(FaultCases.ALL, NodeCase.all(phase.orElse(PHASE)));
        List<Scenario> all =
                all(requests, QueueCase.all(), BacklogCase.all(phase.orElse(HELD)), DiskCase.all(phase.orElse(HELD)));
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
                        .filter(scenario -> names.contains(scenario.name())
                                || names.contains(QUEUE) && scenario instanceof QueueCase)
                        .toList();
    }

    @SafeVarargs
    private static List<Scenario> all(List<? extends Scenario>... cases) {
        return Stream.of(cases).<Scenario>flatMap(List::stream).toList();
    }
}
