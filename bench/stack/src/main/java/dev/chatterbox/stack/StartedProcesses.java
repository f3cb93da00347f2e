package dev.chatterbox.stack;

import dev.chatterbox.processes.ChildProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The processes that a startup has started so far. Each is recorded as soon as it exists, so that {@code down} finds it
 * whatever becomes of this program. Thread-safe.
 */
final class StartedProcesses {

    private final Stack stack;
    private final List<ChildProcess> processes = new ArrayList<>();
    private boolean stopped;

    StartedProcesses(Stack stack) {
        this.stack = stack;
    }

    synchronized List<ChildProcess> all() {
        return List.copyOf(processes);
    }

    /**
     * Records a process.
     *
     * @param health as a {@link Member} has it, likewise faults
     * @throws StackException {@link #stop} was called before; the process is stopped, too
     */
    void add(Member.Kind kind, ChildProcess process, int port, String health, String faults) {
        synchronized (this) {
            if (!stopped) {
                processes.add(process);
                stack.record(new Member(kind, process.name(), process.pid(), process.start(), port, health, faults));
                return;
            }
        }
        process.stop(Duration.ZERO);
        throw new StackException("%s was stopped.".formatted(process));
    }

    /** Stops them all, and lets no more be added. */
    void stop() {
        List<ChildProcess> started;
        synchronized (this) {
            stopped = true;
            started = List.copyOf(processes);
            processes.clear();
        }
        Stack.stop(started);
    }
}
