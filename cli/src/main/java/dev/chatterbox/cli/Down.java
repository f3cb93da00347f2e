package dev.chatterbox.cli;

import dev.chatterbox.processes.ChildProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "down", description = "Stop what up started. Logs stay until the next up.")
final class Down implements Callable<Integer> {

    static final Duration GRACE = Duration.ofSeconds(10);

    private final Repository repository;
    private final Terminal terminal;

    @Mixin
    private final PortOffset offset = new PortOffset();

    @Option(names = "--all", description = "Every stack of this checkout.")
    private boolean all;

    Down(Repository repository, Terminal terminal) {
        this.repository = repository;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        List<Stack> stacks = repository.stacks().stream()
                .filter(stack -> all || stack.offset() == offset.value)
                .toList();
        boolean ran = false;
        for (Stack stack : stacks) {
            try (Stack.Lock lock = stack.lock()) {
                ran |= stop(stack);
            }
        }
        if (!ran) {
            terminal.line("Nothing is running.");
        }
        return ExitCode.OK;
    }

    private boolean stop(Stack stack) {
        // Services first: they take their leave of the brokers.
        boolean services = stop(stack, Member.Kind.SERVICE);
        boolean brokers = stop(stack, Member.Kind.BROKER);
        stack.forget();
        return services || brokers;
    }

    private boolean stop(Stack stack, Member.Kind kind) {
        List<ChildProcess> processes = stack.members().stream()
                .filter(member -> member.kind() == kind)
                .flatMap(member -> stack.process(member).stream())
                .toList();
        stop(processes);
        for (ChildProcess process : processes) {
            if (process.isAlive()) {
                throw new CliException("%s cannot be stopped. Does it belong to another user?".formatted(process));
            }
            terminal.line("stopped " + process);
        }
        return !processes.isEmpty();
    }

    /** All at once, and each within the grace. */
    static void stop(List<ChildProcess> processes) {
        List<Thread> threads = processes.stream()
                .map(process -> new Thread(() -> process.stop(GRACE), "stop-" + process.name()))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                // The threads go on; they are not daemons.
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
