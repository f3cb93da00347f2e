package dev.chatterbox.control;

import dev.chatterbox.network.NetworkPlan;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Member.Health;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.StackState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The state of a stack, as {@code status --json} prints it for scripts. Unknown values are null there.
 *
 * @param portOffset what is added to every port
 * @param variants names of the variants that run
 * @param disabled variants that this machine cannot have, with the reason
 * @param distanceMillis of each round trip over the network; empty if there is no network or it does not answer
 * @param logs the folder of the logs
 */
public record StackStatus(
        int portOffset,
        List<String> variants,
        Map<String, String> disabled,
        OptionalInt distanceMillis,
        String logs,
        List<ProcessStatus> processes) {

    private static final Duration PATIENT = Duration.ofSeconds(5);
    private static final Duration IMPATIENT = Duration.ofMillis(300);

    /**
     * @param kind service, broker or network
     * @param state up, unwell, frozen or dead
     * @param memoryBytes that the process has in RAM
     * @param cpuSeconds the processor time since the process started
     * @param disk whether a broker has a disk of its own
     * @param faults of a responder; empty if it does not answer
     */
    public record ProcessStatus(
            String name,
            String kind,
            long pid,
            int port,
            String state,
            Optional<Long> memoryBytes,
            Optional<Double> cpuSeconds,
            Optional<Double> uptimeSeconds,
            boolean disk,
            Optional<ResponderFaults> faults) {

        public boolean isUp() {
            return state.equals(Health.UP.text());
        }
    }

    /** Checks the health of each process. */
    public static StackStatus of(Stack stack) {
        return of(stack, member -> Health.of(stack, member), distance(stack), PATIENT);
    }

    /** Asks only the responders for their faults, and does not wait long: a process that hangs is shown as up. */
    static StackStatus atOnce(Stack stack) {
        NetworkPlan network = stack.state().network();
        return of(
                stack,
                member -> stack.process(member)
                        .map(process -> process.isFrozen() ? Health.FROZEN : Health.UP)
                        .orElse(Health.DEAD),
                network.isPresent() ? OptionalInt.of(network.distanceMillis()) : OptionalInt.empty(),
                IMPATIENT);
    }

    private static StackStatus of(
            Stack stack, Function<Member, Health> health, OptionalInt distanceMillis, Duration patience) {
        StackState state = stack.state();
        return new StackStatus(
                stack.offset(),
                state.variants(),
                state.disabled(),
                distanceMillis,
                stack.logs().toString(),
                stack.members().stream()
                        .map(member -> process(stack, member, health.apply(member), patience))
                        .toList());
    }

    public boolean allUp() {
        return processes.stream().allMatch(ProcessStatus::isUp);
    }

    private static ProcessStatus process(Stack stack, Member member, Health health, Duration patience) {
        Optional<ChildProcess> process = stack.process(member);
        return new ProcessStatus(
                member.name(),
                member.kind().text(),
                member.pid(),
                member.port(),
                health.text(),
                process.flatMap(running -> ProcessMemory.resident(running.pid())),
                process.flatMap(ChildProcess::cpuTime).map(StackStatus::seconds),
                process.flatMap(ChildProcess::uptime).map(StackStatus::seconds),
                stack.disk(member).isPresent(),
                health == Health.UP ? faults(stack, member, patience) : Optional.empty());
    }

    private static Optional<ResponderFaults> faults(Stack stack, Member member, Duration patience) {
        try {
            return stack.responders().contains(member)
                    ? Optional.of(ResponderFaults.of(stack, member, patience))
                    : Optional.empty();
        } catch (ProcessException reportsNone) {
            return Optional.empty();
        }
    }

    private static OptionalInt distance(Stack stack) {
        try {
            return stack.distanceMillis();
        } catch (ProcessException e) {
            return OptionalInt.empty();
        }
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
