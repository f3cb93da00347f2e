package dev.chatterbox.control;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.LoopDisk;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Control;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.Startup;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.UsageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Breaks parts of a running stack and heals them. Each method returns sentences for a person. All of them throw a
 * {@link UsageException} if a thing that was named does not exist, and a {@link ProcessException} if an action fails.
 *
 * @param lifetime of processes that are started again
 */
public record StackFaults(Stack stack, Control control, Lifetime lifetime) {

    /** @throws ProcessException no process of the stack was started */
    public StackFaults {
        if (stack.members().isEmpty()) {
            throw new ProcessException("Nothing is running. To start it: " + stack.command("up"));
        }
    }

    /**
     * Does what a person asks for in words.
     *
     * @param process its name, for a fault of a process
     * @param value of a responders' fault
     * @param responder the only one whose fault is set; null for all
     */
    public List<String> make(String fault, String process, Object value, @Nullable String responder, Steps steps) {
        return switch (fault) {
            case "kill" -> List.of(kill(process));
            case "freeze" -> List.of(freeze(process));
            case "resume" -> List.of(resume(process));
            case "power-cut" -> List.of(cutPower(List.of(process)));
            case "restart" -> List.of(restart(process, steps));
            case "heal" -> List.of(heal(steps));
            case "clear" -> clear();
            // The responder checks the value.
            case "delay", "drop", "wrong" -> set(responder, Map.of(fault, value));
            default ->
                throw new UsageException(
                        "There is no fault '%s'. There are: kill, freeze, resume, power-cut, restart, delay, drop, wrong, clear, heal"
                                .formatted(fault));
        };
    }

    /** Ends a process as a crash would. */
    public String kill(String name) {
        ChildProcess process = running(name);
        process.stop(Duration.ZERO);
        return "%s is dead. %s".formatted(process, howToStart(name));
    }

    /** Stops a process by a signal, so that it gets no processor time. */
    public String freeze(String name) {
        ChildProcess process = running(name);
        process.freeze();
        return "%s is frozen. To let it go on: %s".formatted(process, stack.command("fault resume " + name));
    }

    public String resume(String name) {
        ChildProcess process = running(name);
        if (!process.isFrozen()) {
            return "%s was not frozen.".formatted(process);
        }
        process.resume();
        return "%s goes on.".formatted(process);
    }

    /** Ends brokers and their disks as one power cut would. The disks are back then, with what was synced before. */
    public String cutPower(List<String> names) {
        List<ChildProcess> brokers = names.stream().map(this::running).toList();
        List<LoopDisk> disks = names.stream().map(this::disk).toList();
        // A frozen broker acknowledges nothing that it cannot write any more.
        brokers.forEach(ChildProcess::freeze);
        disks.forEach(LoopDisk::cutPower);
        brokers.forEach(broker -> broker.stop(Duration.ZERO));
        disks.forEach(LoopDisk::restorePower);
        return "%s is dead, and has on its disk what was synced. %s"
                .formatted(brokers.get(0), howToStart(names.get(0)));
    }

    private LoopDisk disk(String broker) {
        return stack.disk(member(broker))
                .orElseThrow(() -> new UsageException(
                        "%s has no disk whose power can be cut. The brokers of a stack have one after: %s && %s --disks"
                                .formatted(broker, stack.command("down"), stack.command("up"))));
    }

    /** Stops a process in order, unless it is dead, and starts it again. Returns when its variants answer. */
    public String restart(String name, Steps steps) {
        try (Stack.Lock lock = stack.lockProcesses()) {
            return "%s answers again after %.1f s."
                    .formatted(name, Startup.again(stack, List.of(member(name)), control, lifetime, steps));
        }
    }

    /** Starts the dead processes again, and no others. Returns when their variants answer. */
    public String heal(Steps steps) {
        try (Stack.Lock lock = stack.lockProcesses()) {
            List<Member> dead = stack.dead();
            return dead.isEmpty() ? "Nothing is dead." : Startup.heal(stack, dead, control, lifetime, steps);
        }
    }

    /**
     * Sets faults of responders.
     *
     * @param responder the name of a responder; null for all
     * @param change the members of {@code /faults} and their values
     */
    public List<String> set(@Nullable String responder, Map<String, Object> change) {
        List<Member> chosen = stack.responders().stream()
                .filter(member -> responder == null || member.name().equals(responder))
                .toList();
        if (chosen.isEmpty()) {
            throw new UsageException("There is no %s that makes faults. Those of this stack: %s"
                    .formatted(
                            responder == null ? "responder" : "responder '%s'".formatted(responder),
                            Member.names(stack.responders())));
        }
        return chosen.stream().map(member -> set(member, change)).toList();
    }

    /** Ends delay, drop and wrong of all responders, and resumes the frozen processes. */
    public List<String> clear() {
        List<String> done = new ArrayList<>();
        for (Member member : stack.members()) {
            stack.process(member).filter(ChildProcess::isFrozen).ifPresent(frozen -> done.add(resume(member.name())));
        }
        boolean failed = false;
        for (Member responder : stack.responders()) {
            try {
                done.add(set(responder, ResponderFaults.OFF));
            } catch (ProcessException e) {
                failed = true;
                done.add(String.valueOf(e.getMessage()));
            }
        }
        if (failed) {
            throw new ProcessException(String.join("\n  ", done));
        }
        return done;
    }

    private String set(Member responder, Map<String, Object> change) {
        String name = responder.name();
        // A responder that is dead has no faults after its next start.
        return stack.process(responder).isPresent()
                ? "%s: faults %s"
                        .formatted(
                                name,
                                ResponderFaults.set(stack, responder, change).text())
                : "%s is dead. %s".formatted(name, howToStart(name));
    }

    /** A process of the stack, by its name. */
    public Member member(String name) {
        return stack.member(name)
                .orElseThrow(() -> new UsageException("There is no process '%s'. Those of this stack: %s"
                        .formatted(name, Member.names(stack.members()))));
    }

    /** A process of the stack that is not dead. */
    public ChildProcess running(String name) {
        return stack.process(member(name))
                .orElseThrow(() -> new ProcessException("%s is dead already. %s".formatted(name, howToStart(name))));
    }

    /** Does not name the command up, because a running comparison makes up refuse its work. */
    private String howToStart(String name) {
        return "To start it again: " + stack.command("fault restart " + name);
    }
}
