package dev.chatterbox.resilience;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A case in which nodes of a row's cluster are away for a while.
 *
 * @param name by which a person chooses the case
 * @param way how the nodes are stopped
 * @param victims which nodes are stopped
 */
record NodeCase(String name, Way way, Victims victims) {

    enum Way {
        TERMINATED("SIGTERM"),
        KILLED("SIGKILL"),
        /** Others notice it only when a time limit of theirs is over, so the row's recovery is measured, and not judged. */
        FROZEN("SIGSTOP");

        final String signal;

        Way(String signal) {
            this.signal = signal;
        }
    }

    enum Victims {
        LEADER("the node that leads"),
        OTHER("a node that does not lead"),
        TWO("the node that leads and another one");

        final String text;

        Victims(String text) {
            this.text = text;
        }
    }

    static final List<NodeCase> ALL = Stream.concat(
                    Stream.of(Victims.LEADER, Victims.OTHER)
                            .flatMap(victims ->
                                    Stream.of(Way.values()).map(way -> new NodeCase(name(victims, way), way, victims))),
                    Stream.of(new NodeCase("two-nodes-killed", Way.KILLED, Victims.TWO)))
            .toList();

    private static String name(Victims victims, Way way) {
        return "%s-node-%s"
                .formatted(
                        victims == Victims.LEADER ? "leading" : "other",
                        way.name().toLowerCase(Locale.ROOT));
    }

    /** Describes the case in one line. */
    String what() {
        return "%s: %s".formatted(victims.text, way.signal);
    }
}
