package dev.chatterbox.cli;

import dev.chatterbox.control.ControlServer;
import dev.chatterbox.control.StackFaults;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.stack.Control;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Stack;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = Control.NAME,
        hidden = true,
        description = "Serve the live page's load and faults; up starts this, and nobody else needs to.")
final class ControlService implements Callable<Integer> {

    private final Repository repository;

    @Mixin
    private final PortOffset offset = new PortOffset();

    @Option(names = "--chatterbox.process", hidden = true, description = "The mark of every process of a stack.")
    private @Nullable String mark;

    ControlService(Repository repository) {
        this.repository = repository;
    }

    /** Until it is ended by a signal. */
    @Override
    public Integer call() throws IOException, InterruptedException {
        Stack stack = repository.stack(offset.value);
        StackFaults faults = new StackFaults(repository, stack, Chatterbox.CONTROL, Lifetime.DETACHED);
        ControlServer server = ControlServer.start(faults, Chatterbox.class);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "close-control"));
        new CountDownLatch(1).await();
        return ExitCode.OK;
    }
}
