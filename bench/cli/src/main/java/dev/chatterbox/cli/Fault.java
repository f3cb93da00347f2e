package dev.chatterbox.cli;

import dev.chatterbox.control.StackFaults;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.UsageException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "fault",
        description = {
            "Break or repair a part of the running stack, to see what its calls do.",
            "Also works during a comparison. 'status' lists the processes."
        },
        footer = {
            "",
            "  kill PROCESS      end it as a crash would (SIGKILL); 'up' starts it again",
            "  freeze PROCESS    stop it (SIGSTOP): it stays connected, and silent",
            "  resume PROCESS    let a frozen one continue (SIGCONT)",
            "  power-cut BROKER  end it, and lose what was not synced; needs up --disks",
            "  restart PROCESS   shut it down (SIGTERM) unless dead; start it with its data",
            "  delay TIME        responders delay each answer: 100ms, at most 1h; 0ms is off",
            "  drop P            responders never answer this share of requests; 0 is off",
            "  wrong P           responders answer this share of requests with one too much",
            "  clear             end delay, drop and wrong, and resume what is frozen"
        })
final class Fault extends CheckoutCommand {

    @Mixin
    private final PortOffset offset = new PortOffset();

    @Parameters(index = "0", paramLabel = "FAULT", description = "One of those below.")
    private String fault = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "PROCESS|TIME|P",
            description = "A process, a time, or a share P from 0 to 1, such as 0.01.")
    private String what = "";

    @Option(names = "--responder", paramLabel = "NAME", description = "Only this responder (default: all).")
    private @Nullable String responder;

    Fault(Repository repository, Terminal terminal) {
        super(repository, terminal);
    }

    @Override
    public Integer call() throws IOException {
        new StackFaults(repository.stack(offset.value()), Chatterbox.CONTROL, Lifetime.DETACHED)
                .make(fault, what, value(), responder, terminal)
                .forEach(terminal::line);
        return ExitCode.OK;
    }

    /** Responders take a probability as a number, and a time as a text. */
    private Object value() {
        try {
            return fault.equals("drop") || fault.equals("wrong") ? Double.valueOf(what) : what;
        } catch (NumberFormatException e) {
            throw new UsageException("%s needs a probability, 0 to 1, and not '%s'.".formatted(fault, what));
        }
    }
}
