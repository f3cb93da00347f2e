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
    private final Map<String, String> environment;

    @Spec
    private @Nullable CommandSpec spec;

    Fault(Repository repository, Terminal terminal, Map<String, String> environment) {
        this.repository = repository;
        this.terminal = terminal;
        this.environment = environment;
    }

    /** Alone it does nothing. */
    @Override
    public Integer call() {
        CommandSpec known = Objects.requireNonNull(spec);
        throw new ParameterException(
                known.commandLine(),
                "Which fault? " + String.join(", ", known.subcommands().keySet()));
    }

    /** A process of the stack. */
    static final class Whom {

        @Mixin
        private final PortOffset offset = new PortOffset();

        @Parameters(paramLabel = "PROCESS", description = "Its name, as status shows it.")
        private String process = "";
    }

    /** The responders that are meant. */
    static final class Responders {

        @Mixin
        private final PortOffset offset = new PortOffset();

        @Option(names = "--responder", paramLabel = "NAME", description = "Only this one (default: all of the stack).")
        private @Nullable String name;
    }

    @Command(name = "kill", description = "End a process as a crash would (SIGKILL). up starts it again.")
    int kill(@Mixin Whom whom) {
        return tell(faults(whom.offset).kill(whom.process));
    }

    @Command(name = "freeze", description = "Take a process' processors away (SIGSTOP): connected, and silent.")
    int freeze(@Mixin Whom whom) {
        return tell(faults(whom.offset).freeze(whom.process));
    }

    @Command(name = "resume", description = "Let a frozen process go on (SIGCONT).")
    int resume(@Mixin Whom whom) {
        return tell(faults(whom.offset).resume(whom.process));
    }

    @Command(
            name = "restart",
            description = "Stop a process in order (SIGTERM), or take a dead one, and start it again with its data.")
    int restart(@Mixin Whom whom) throws IOException {
        return tell(faults(whom.offset).restart(whom.process, terminal));
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
        return tell(faults(offset).clear().toArray(String[]::new));
    }

    private int set(Responders responders, String fault, Object value) {
        return tell(faults(responders.offset)
                .set(responders.name, Map.of(fault, value))
                .toArray(String[]::new));
    }

    private StackFaults faults(PortOffset offset) {
        return new StackFaults(
                repository,
                repository.stack(offset.value),
                Chatterbox.CONTROL,
                Lifetime.DETACHED,
                Archiving.isWanted(environment));
    }

    private int tell(String... sentences) {
        List.of(sentences).forEach(terminal::line);
        return ExitCode.OK;
    }
}
