package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Io;
import dev.chatterbox.processes.Lifetime;
import java.time.Duration;
import java.util.function.Consumer;

/** A start of a node; the parameters are those of {@link Broker#start}. */
record Launch(Node node, Lifetime lifetime, Consumer<ChildProcess> started) {

    /**
     * Starts a process of the node in the node's folder and waits until the check passes.
     *
     * @param name of the process: the node's name, or a name that begins with it, for a process beside the node
     */
    ChildProcess start(String name, ProcessBuilder builder, Io.Action<Boolean> ready, Duration timeout) {
        ChildProcess process = ChildProcess.start(
                name,
                builder.directory(node.home().toFile()),
                node.directory().resolve("logs").resolve(name + ".log"),
                lifetime);
        try {
            started.accept(process);
        } catch (RuntimeException e) {
            process.stop(Duration.ZERO);
            throw e;
        }
        process.awaitReady(ready, timeout);
        return process;
    }
}
