package dev.chatterbox.stack;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.ProcessException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What a stack consists of, besides its network: services and brokers. */
public sealed interface Part permits Service, PlannedBroker {

    Member.Kind kind();

    String name();

    /** Where it listens, by role. */
    Map<String, Integer> ports();

    /** What distinguishes it from all others of its stack. */
    default String key() {
        return Member.key(kind(), name());
    }

    /**
     * Gets the programs of others that it needs, which may take minutes, once.
     *
     * @param log takes lines for people, the first of which says where the program comes from
     * @throws ProcessException this machine cannot have it
     */
    void obtain(Consumer<String> log);

    /**
     * The archive of its classes; empty where it is no Java program.
     *
     * @param jars the copies that services run, by name
     */
    Optional<Path> archive(Repository repository, Map<String, Path> jars);

    /** What is recorded of a process that was started for it. */
    Member member(ChildProcess process);
}
