package dev.chatterbox.stack;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.Limits;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.LoopDisk;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.variants.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts a whole stack, or those of its processes that have ended. Either all of them are started or none. */
public final class Startup {

    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(1);
    private static final LocalHttp.Answer RIGHT = new LocalHttp.Answer(200, "[{\"1\":1}]");

    private final StackPlan plan;
    private final Stack stack;
    private final Lifetime lifetime;
    private final Steps steps;

    /** Whether the whole stack is started, and not only some parts. */
    private final boolean whole;

    /** The names of the parts that are started. */
    private final Set<String> starting;

    /** The processes by name: those that are not started now because they run, and those that were started so far. */
    private final Map<String, ChildProcess> running = new ConcurrentHashMap<>();

    /** The processes that were started so far. Guarded by this. */
    private final List<ChildProcess> started = new ArrayList<>();

    /** Whether nothing more may be started. Guarded by this. */
    private boolean stopped;

    /** The answer of each variant that answers wrongly, although everything that it needs is up. */
    private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();

    private final Object aborting = new Object();

    /** @param starting the names of the parts that are started; an empty set means all */
    private Startup(StackPlan plan, Set<String> starting, Lifetime lifetime, Steps steps) {
        this.plan = plan;
        this.stack = plan.stack();
        this.lifetime = lifetime;
        this.steps = steps;
        this.whole = starting.isEmpty();
        this.starting = whole ? plan.parts().stream().map(Part::name).collect(Collectors.toSet()) : starting;
    }

    /**
     * Starts a stack that outlives this program, and returns when every variant has answered.
     *
     * @param distanceMillis of the network between the stack's processes; empty if there is to be no network
     * @param control the service by which the live page rules the stack
     * @throws ProcessException something did not start, and nothing is left running
     */
    public static void detached(
            Stack stack, Selection selection, OptionalInt distanceMillis, Control control, Steps steps) {
        StackPlan plan = StackPlan.of(stack, selection)
                .obtain(distanceMillis, steps::line)
                .with(control);
        all(plan, Lifetime.DETACHED, steps);
    }

    /**
     * Starts a whole stack, and returns when every variant has answered.
     *
     * @param plan the plan; this machine must have all that it needs
     * @throws ProcessException something did not start, and nothing is left running
     * @throws UsageException the variants have a cluster that this machine has no memory for, or a process may have too
     *     few files or threads
     */
    static void all(StackPlan plan, Lifetime lifetime, Steps steps) {
        Stack stack = plan.stack();
        plan.requireFree(name -> true);
        ProcessMemory.available().ifPresent(plan::requireMemory);
        Limits.lacks().stream().findFirst().ifPresent(lack -> {
            throw new UsageException("The stack does not start: " + lack + ".");
        });
        stack.clear();
        copyJars(plan);
        stack.record(StackState.of(plan));
        stack.recordTargets(plan.prometheusTargets());
        new Startup(plan, Set.of(), lifetime, steps).run();
    }

    /** Copies the jar of each service; its first process has the name that all have in common. */
    private static void copyJars(StackPlan plan) {
        plan.parts().parallelStream()
                .filter(part -> part.name().equals(part.group()))
                .forEach(part -> part.jar()
                        .ifPresent(jar -> UnpackedJar.copy(
                                Repository.jar(jar.module(), jar.pattern()),
                                plan.stack().jar(part.group()))));
    }

    /**
     * Starts some processes of a stack again: on the same ports, from the same jars and with the data that they left.
     * It first stops those of them that still run. Returns when the variants have answered whose calls need one of
     * these processes, except variants that lack something else.
     *
     * @param members the members of the stack to start
     * @param control the service by which the live page rules the stack
     * @param lifetime of the processes that are started
     * @return the duration in seconds
     * @throws ProcessException a process did not start, and those that this started are stopped again; or all of them
     *     started, and a variant does not answer right
     */
    public static double again(Stack stack, List<Member> members, Control control, Lifetime lifetime, Steps steps) {
        long begin = System.nanoTime();
        boolean controlled = !stack.state().controlToken().isEmpty();
        StackPlan plan = StackPlan.of(stack, controlled ? Optional.of(control) : Optional.empty());
        Set<String> starting =
                members.stream().map(member -> part(plan, member)).collect(Collectors.toSet());
        Startup startup = new Startup(plan, starting, lifetime, steps);
        startup.replace();
        startup.run();
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Starts members again that are dead, and returns a sentence for people. */
    public static String heal(Stack stack, List<Member> dead, Control control, Lifetime lifetime, Steps steps) {
        double seconds = again(stack, dead, control, lifetime, steps);
        return "%s %s up again after %.1f s.".formatted(Member.names(dead), dead.size() == 1 ? "is" : "are", seconds);
    }

    /** The name of the part that starts a process: of one beside a broker, such as kafka-1-epmd, the broker's. */
    private static String part(StackPlan plan, Member member) {
        String name = member.name();
        return plan.parts().stream().anyMatch(part -> part.name().equals(name))
                ? name
                : name.substring(0, Math.max(0, name.lastIndexOf('-')));
    }

    /**
     * Stops the processes to start again that still run, with those beside a broker: the broker starts these again.
     *
     * @throws ProcessException a responder would not find its broker, and then nothing was stopped; or another program
     *     has taken a port, and then the processes were stopped
     */
    private void replace() {
        List<Member> replaced = new ArrayList<>();
        for (Member member : stack.members()) {
            if (starting.contains(part(plan, member))) {
                replaced.add(member);
            } else {
                stack.process(member).ifPresent(process -> running.put(member.name(), process));
            }
        }
        plan.variants().forEach(this::requireBroker);
        Stack.stop(replaced.stream()
                .flatMap(member -> stack.process(member).stream())
                .toList());
        plan.requireFree(replaced.stream().map(Member::name).toList()::contains);
    }

    /** Refuses to start a responder without its broker or the network before it: it would never be well. */
    private void requireBroker(Variant variant) {
        Optional<Part> responder =
                plan.responders(variant).stream().filter(this::isStarting).findFirst();
        if (variant.broker().isEmpty() || responder.isEmpty()) {
            return;
        }
        plan.missing(variant, this::isThere).stream().findFirst().ifPresent(part -> {
            boolean frozen = running.containsKey(part.name());
            throw new ProcessException("%s cannot be well without %s, which is %s. First: %s"
                    .formatted(
                            responder.get().name(),
                            part.name(),
                            frozen ? "frozen" : "dead",
                            stack.command((frozen ? "fault resume " : "fault restart ") + part.name())));
        });
    }

    private boolean isStarting(Part part) {
        return starting.contains(part.name());
    }

    /** Whether the part is being started, or runs and is not frozen. */
    private boolean isThere(Part part) {
        ChildProcess process = running.get(part.name());
        return isStarting(part) || process != null && !process.isFrozen();
    }

    private void run() {
        Thread hook = new Thread(this::interrupt, "interrupt-startup");
        Runtime.getRuntime().addShutdownHook(hook);
        ExecutorService executor = Executors.newCachedThreadPool();
        try (Steps.Timer timer = new Steps.Timer(steps)) {
            Map<Part, CompletableFuture<?>> starts = new HashMap<>();
            for (Part part : plan.parts()) {
                Runnable start = () -> timer.time(part.name(), () -> start(part));
                if (isStarting(part) && part.kind() == Member.Kind.NETWORK) {
                    start.run();
                } else if (isStarting(part)) {
                    // All these start at once: services wait for their brokers by themselves, and no processor should
                    // be idle.
                    starts.put(part, CompletableFuture.runAsync(start, executor));
                }
            }
            List<CompletableFuture<?>> all = new ArrayList<>(starts.values());
            for (Variant variant : plan.variants()) {
                List<Part> needed = plan.needs(variant);
                List<Part> services = needed.stream().filter(Part::isService).toList();
                if (needed.stream().anyMatch(this::isStarting)
                        && services.stream().allMatch(this::isThere)
                        && plan.missing(variant, this::isThere).isEmpty()) {
                    // A call before the services are up would fail, and slow those that still start.
                    CompletableFuture<?>[] before = services.stream()
                            .flatMap(service -> Stream.ofNullable(starts.get(service)))
                            .toArray(CompletableFuture<?>[]::new);
                    all.add(CompletableFuture.allOf(before)
                            .thenRunAsync(
                                    () -> timer.time("a call over " + variant.name(), () -> call(variant)), executor));
                }
            }
            await(all);
            // This throws if the hook is already running.
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (RuntimeException e) {
            // Waits for the hook, if that stops the processes already.
            abort();
            if (isRemoved(hook)) {
                throw e;
            }
            // If the hook stopped the processes, the exception only follows from that, and another one says so.
            throw new ProcessException(
                    whole ? "Nothing is left running." : "What was started again is stopped; the others run.");
        } finally {
            executor.shutdownNow();
        }
        if (!unanswered.isEmpty()) {
            throw new ProcessException("All of it runs, but not every variant answers right:%n  %s"
                    .formatted(String.join("\n  ", unanswered)));
        }
    }

    /** Removes a hook, which would print a line about an interrupt when this JVM ends; false if it runs already. */
    private static boolean isRemoved(Thread hook) {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException running) {
            return false;
        }
    }

    /** Throws the first failure, without waiting for the other tasks. */
    private static void await(List<CompletableFuture<?>> tasks) {
        CompletableFuture<Void> end = CompletableFuture.allOf(tasks.toArray(CompletableFuture<?>[]::new));
        tasks.forEach(task -> task.whenComplete((done, failure) -> {
            if (failure != null) {
                end.completeExceptionally(failure);
            }
        }));
        try {
            end.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProcessException("Interrupted.");
        }
    }

    private void start(Part part) {
        if (part.name().equals(Control.NAME)) {
            Control.prepare(stack);
        }
        if (plan.selection().disks() && part.kind() == Member.Kind.BROKER) {
            LoopDisk.mount(stack.data(part.name()));
        }
        part.start(stack, lifetime, process -> add(part.member(process), process));
    }

    /** Returns when the variant answers its smallest request right at each aggregator. */
    private void call(Variant variant) {
        plan.aggregators().forEach(aggregator -> call(variant, aggregator));
    }

    private void call(Variant variant, Part aggregator) {
        int port = aggregator.port();
        String path = "/%s/square/%s/1"
                .formatted(variant.name(), variant.modes().get(0).text());
        AtomicReference<String> last = new AtomicReference<>("nothing");
        try {
            Objects.requireNonNull(running.get(aggregator.name()))
                    .await(
                            () -> {
                                started().forEach(ChildProcess::requireAlive);
                                LocalHttp.Answer answer = LocalHttp.get(port, path);
                                last.set(answer.status() + " " + answer.body());
                                return answer.equals(RIGHT);
                            },
                            ANSWER_TIMEOUT);
        } catch (ProcessException e) {
            String message = "http://localhost:%d%s answered: %s%n%s".formatted(port, path, last.get(), e.getMessage());
            if (whole) {
                throw new ProcessException(message);
            }
            // What was started is well; so the cause is a fault that somebody set, or another part.
            unanswered.add(message);
        }
    }

    private synchronized List<ChildProcess> started() {
        return List.copyOf(started);
    }

    /**
     * Records a process as soon as it exists, so that {@code down} finds it however this program ends.
     *
     * @throws ProcessException this startup was aborted before; the process is then stopped
     */
    private void add(Member member, ChildProcess process) {
        synchronized (this) {
            if (!stopped) {
                started.add(process);
                running.put(member.name(), process);
                stack.record(member);
                return;
            }
        }
        process.stop(Duration.ZERO);
        throw new ProcessException("%s was stopped.".formatted(process));
    }

    /** Stops the processes that were started, and prevents further starts. */
    private void abort() {
        synchronized (aborting) {
            List<ChildProcess> processes;
            synchronized (this) {
                stopped = true;
                processes = started();
                started.clear();
            }
            Stack.stop(processes);
            if (whole) {
                stack.forget();
            }
        }
    }

    /** Runs on Ctrl-C and similar signals. After it, Java exits with 128 plus the signal's number. */
    private void interrupt() {
        steps.line("Interrupted; stopping what was started.");
        abort();
    }
}
