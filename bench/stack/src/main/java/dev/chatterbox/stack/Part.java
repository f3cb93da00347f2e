package dev.chatterbox.stack;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.ProcessException;
import java.util.Map;
import java.util.function.Consumer;

/** A service or a broker of a stack; the network of a stack is no part. */
public sealed interface Part permits Service, PlannedBroker {

    Member.Kind kind();

    String name();

    /** The ports where the part listens, by role. */
    Map<String, Integer> ports();

    /** What distinguishes the part from all others of its stack. */
    default String key() {
        return Member.key(kind(), name());
    }

    /**
     * Gets the programs of other projects that the part needs. That may take minutes the first time.
     *
     * @param log takes lines for people, the first of which says where the program comes from
     * @throws ProcessException this machine cannot have such a program
     */
    void obtain(Consumer<String> log);

    /** The record of a process that was started for the part. */
    Member member(ChildProcess process);
}
