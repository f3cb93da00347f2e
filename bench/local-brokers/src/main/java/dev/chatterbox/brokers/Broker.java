package dev.chatterbox.brokers;

import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The definition of a broker that can run as a child process on 127.0.0.1. Implementations are stateless and have a
 * public constructor without parameters, because a row names its broker's class.
 */
public interface Broker {

    /** One lower-case word; names its log, its folder and its line in a status table. */
    String name();

    /** The port of each role unless another is chosen, the one for clients first. */
    Map<String, Integer> defaultPorts();

    /**
     * One line for people: which program will run, and how it is obtained if it is not here yet.
     *
     * @throws ProcessException there is no way to obtain it here; the message lists the ways
     */
    String origin();

    /**
     * Gets the program that will run, if it is not here yet; that may take minutes, once.
     *
     * @throws ProcessException there is no way to obtain it here; the message lists the ways
     */
    void obtain();

    /**
     * The same, and reports meanwhile what has been fetched.
     *
     * @param progress takes a line for people each time, on this thread
     * @throws ProcessException as {@link #obtain()}
     */
    default void obtain(Consumer<String> progress) {
        obtain();
    }

    /** Why this machine cannot have it, with the ways to get it, in one line for people; empty where it can. */
    default Optional<String> whyUnavailable() {
        try {
            origin();
            return Optional.empty();
        } catch (ProcessException e) {
            return Optional.of(e.line());
        }
    }

    /** What it answers a client at once. By this it is found to be ready, and the round trip to it is measured. */
    Probe probe();

    /** The environment variables by which a service finds this broker, where its ports are these. */
    Map<String, String> environment(Map<String, Integer> ports);

    /** What a broker that is a Java program runs from; empty for any other. */
    default List<Path> classPath() {
        return List.of();
    }

    /**
     * Starts the broker and waits until it really serves clients.
     *
     * @throws ProcessException it did not start; nothing is left running
     */
    RunningBroker start(Launch launch);

    /**
     * Starts the broker for a test: on free ports, with a temporary folder that closing deletes, ending with this JVM.
     *
     * @throws ProcessException it did not start; nothing is left running
     */
    default RunningBroker start() {
        try {
            Map<String, Integer> ports = new LinkedHashMap<>();
            Iterator<Integer> free = Ports.free(defaultPorts().size()).iterator();
            defaultPorts().keySet().forEach(role -> ports.put(role, free.next()));
            Path directory = Files.createTempDirectory("chatterbox-" + name());
            // The quick compiler alone: a Java broker starts in half the time.
            List<String> javaFlags = List.of("-XX:TieredStopAtLevel=1");
            return start(new Launch(
                            ports, directory, Lifetime.WITH_PARENT, process -> {}, javaFlags, OptionalInt.empty()))
                    .deletingWhenClosed(directory);
        } catch (IOException e) {
            throw new ProcessException("No temporary folder for " + name() + ": " + e.getMessage(), e);
        }
    }
}
