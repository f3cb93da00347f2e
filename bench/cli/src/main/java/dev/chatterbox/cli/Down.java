package dev.chatterbox.cli;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Stack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "down", description = "Stop what 'up' started. Logs stay until the next 'up'.")
final class Down extends CheckoutCommand {

    @Mixin
    private final PortOffset offset = new PortOffset();

    @Option(names = "--all", description = "Stop every stack of this checkout, whatever its ports.")
    private boolean all;

    Down(Repository repository, Terminal terminal) {
        super(repository, terminal);
    }

    @Override
    public Integer call() throws IOException {
        boolean ran = false;
        List<String> busy = new ArrayList<>();
        for (Stack stack : repository.stacks()) {
            if (all || stack.offset() == offset.value()) {
                try (Stack.Lock lock = stack.lock();
                        Stack.Lock processes = stack.lockProcesses()) {
                    ran |= stop(stack);
                } catch (ProcessException e) {
                    busy.add((all ? "--port-offset %d: ".formatted(stack.offset()) : "") + e.getMessage());
                }
            }
        }
        if (!busy.isEmpty()) {
            throw new ProcessException(String.join(" ", busy));
        }
        if (!ran) {
            terminal.line("Nothing is running.");
        }
        return ExitCode.OK;
    }

    private boolean stop(Stack stack) {
        boolean ran = false;
        for (Member.Kind kind : Member.Kind.values()) {
            for (ChildProcess process : stack.stop(kind)) {
                if (process.isAlive()) {
                    throw new ProcessException(
                            "%s cannot be stopped. Does it belong to another user?".formatted(process));
                }
                terminal.line("stopped " + process);
                ran = true;
            }
        }
        stack.forget();
        return ran;
    }
}
