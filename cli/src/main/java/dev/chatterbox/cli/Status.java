package dev.chatterbox.cli;

import dev.chatterbox.cli.stack.Health;
import dev.chatterbox.cli.stack.Member;
import dev.chatterbox.cli.stack.Repository;
import dev.chatterbox.cli.stack.Stack;
import dev.chatterbox.cli.stack.StackState;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.ProcessMemory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "status",
        description = "Show every process of every stack. Exit code 0 if all are up, 3 if not, also when nothing runs.")
final class Status implements Callable<Integer> {

    private static final String ROW = "%-20s %8s %6s %9s %9s %9s  %s";

    private final Repository repository;
    private final Terminal terminal;

    Status(Repository repository, Terminal terminal) {
        this.repository = repository;
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        List<Stack> stacks = repository.stacks();
        if (stacks.isEmpty()) {
            terminal.line("Nothing is running. To start it: ./chatterbox up");
            return ExitCode.NOT_ALL_UP;
        }
        boolean allUp = true;
        for (Stack stack : stacks) {
            if (stacks.size() > 1 || stack.offset() != 0) {
                terminal.line("port offset " + stack.offset());
            }
            terminal.line(terminal.bold(ROW.formatted("process", "pid", "port", "memory", "cpu", "uptime", "health")));
            for (Member member : stack.members()) {
                Health health = Health.of(stack, member);
                allUp &= health == Health.UP;
                terminal.line(row(member, stack.process(member), health));
            }
            StackState state = stack.state();
            terminal.line("rows: " + String.join(", ", state.rows()));
            distance(stack).ifPresent(terminal::line);
            state.disabled().forEach((row, reason) -> terminal.line("disabled: %s. %s".formatted(row, reason)));
            terminal.line("logs: " + stack.logs());
        }
        return allUp ? ExitCode.OK : ExitCode.NOT_ALL_UP;
    }

    /** Nothing where it has no network, or one that does not answer, which is told above. */
    private static Optional<String> distance(Stack stack) {
        try {
            OptionalInt millis = stack.distanceMillis();
            return millis.isPresent()
                    ? Optional.of("distance: %d ms in each round trip over the network".formatted(millis.getAsInt()))
                    : Optional.empty();
        } catch (ProcessException e) {
            return Optional.empty();
        }
    }

    private String row(Member member, Optional<ChildProcess> process, Health health) {
        String word = health == Health.UP ? terminal.green(health.word()) : terminal.red(health.word());
        return ROW.formatted(
                member.name(),
                member.pid(),
                member.port(),
                process.flatMap(running -> ProcessMemory.resident(running.pid()))
                        .map(bytes -> "%d MB".formatted(bytes >> 20))
                        .orElse("–"),
                process.flatMap(ChildProcess::cpuTime).map(Status::readable).orElse("–"),
                process.map(running -> readable(Duration.between(running.started(), Instant.now())))
                        .orElse("–"),
                word);
    }

    static String readable(Duration duration) {
        if (duration.toHours() > 0) {
            return "%d h %02d m".formatted(duration.toHours(), duration.toMinutesPart());
        }
        return duration.toMinutes() > 0
                ? "%d m %02d s".formatted(duration.toMinutes(), duration.toSecondsPart())
                : "%d.%d s".formatted(duration.toSeconds(), duration.toMillisPart() / 100);
    }
}
