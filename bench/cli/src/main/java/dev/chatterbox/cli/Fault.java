package dev.chatterbox.cli;

import dev.chatterbox.control.StackFaults;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.stack.Repository;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "fault",
        description = {
            "Break a part of the running stack, and see what becomes of its calls.",
            "Works while a comparison measures it, too. status names the processes."
        })
final class Fault implements Callable<Integer> {

    private final Repository repository;
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    Fault(Repository repository, Terminal terminal) {
        this.repository = repository;
        this.terminal = terminal;
    }

    /** The command alone only fails: it needs a subcommand. */
    @Override
    public Integer call() {
        CommandSpec known = Objects.requireNonNull(spec);
        throw new ParameterException(
                known.commandLine(),
                "Which fault? " + String.join(", ", known.subcommands().keySet()));
    }

    /** A process of the stack. */
    static final class Victim {

        @Mixin
        private final PortOffset offset = new PortOffset();

        @Parameters(paramLabel = "PROCESS", description = "Its name, as status shows it.")
        private String process = "";
    }

    /** The responders whose faults are set. */
    static final class Responders {

        @Mixin
        private final PortOffset offset = new PortOffset();

        @Option(names = "--responder", paramLabel = "NAME", description = "Only this one (default: all of the stack).")
        private @Nullable String name;
    }

    @Command(name = "kill", description = "End a process as a crash would (SIGKILL). up starts it again.")
    int kill(@Mixin Victim victim) {
        return print(List.of(faults(victim.offset).kill(victim.process)));
    }

    @Command(name = "freeze", description = "Take a process' processors away (SIGSTOP): connected, and silent.")
    int freeze(@Mixin Victim victim) {
        return print(List.of(faults(victim.offset).freeze(victim.process)));
    }

    @Command(name = "resume", description = "Let a frozen process go on (SIGCONT).")
    int resume(@Mixin Victim victim) {
        return print(List.of(faults(victim.offset).resume(victim.process)));
    }

    @Command(
            name = "restart",
            description = "Stop a process in order (SIGTERM), or take a dead one, and start it again with its data.")
    int restart(@Mixin Victim victim) throws IOException {
        return print(List.of(faults(victim.offset).restart(victim.process, terminal)));
    }

    @Command(name = "delay", description = "Responders hold every answer back for this time.")
    int delay(
            @Mixin Responders responders,
            @Parameters(paramLabel = "TIME", description = "Such as 100ms, at most 1h; 0ms is off.") String value) {
        return set(responders, "delay", value);
    }

    @Command(name = "drop", description = "Responders never answer a request, with this probability.")
    int drop(
            @Mixin Responders responders,
            @Parameters(paramLabel = "P", description = "0 to 1, such as 0.01; 0 is off.") double value) {
        return set(responders, "drop", value);
    }

    @Command(name = "wrong", description = "Responders give an answer that is one too large, with this probability.")
    int wrong(
            @Mixin Responders responders,
            @Parameters(paramLabel = "P", description = "0 to 1, such as 0.01; 0 is off.") double value) {
        return set(responders, "wrong", value);
    }

    @Command(name = "clear", description = "End delay, drop and wrong, and let go on what is frozen.")
    int clear(@Mixin PortOffset offset) {
        return print(faults(offset).clear());
    }

    private int set(Responders responders, String fault, Object value) {
        return print(faults(responders.offset).set(responders.name, Map.of(fault, value)));
    }

    private StackFaults faults(PortOffset offset) {
        return new StackFaults(repository.stack(offset.value), Chatterbox.CONTROL, Lifetime.DETACHED);
    }

    private int print(List<String> sentences) {
        sentences.forEach(terminal::line);
        return ExitCode.OK;
    }
}
