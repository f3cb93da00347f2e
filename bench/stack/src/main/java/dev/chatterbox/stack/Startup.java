package dev.chatterbox.stack;

import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.rows.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts a whole stack, or those of its processes that have ended. Either all of them are started or none. */
public final class Startup {

    private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(1);
    private static final LocalHttp.Answer RIGHT = new LocalHttp.Answer(200, "[{\"1\":1}]");

    private final StackPlan plan;
    private final Stack stack;
    private final StackState state;
    private final Lifetime lifetime;
    private final Steps steps;

    /** Whether the whole stack is started, and not only some members. */
    private final boolean whole;

    /** The keys of the members that are started. */
    private final Set<String> starting;

    /** The processes that are not started now because they run, by the keys of their members. */
    private final Map<String, ChildProcess> running = new TreeMap<>();

    /** The processes that were started so far. Guarded by this. */
    private final List<ChildProcess> started = new ArrayList<>();

    /** Whether nothing more may be started. Guarded by this. */
    private boolean stopped;

    /** The answer of each row that answers wrongly, although everything that it needs is up. */
    private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();

    private volatile boolean interrupted;

    /** @param starting the keys of the members that are started; an empty set means all */
    private Startup(StackPlan plan, Set<String> starting, Lifetime lifetime, Steps steps) {
        this.plan = plan;
        this.stack = plan.stack();
        this.state = stack.state();
        this.lifetime = lifetime;
        this.steps = steps;
        this.whole = starting.isEmpty();
        this.starting = whole
                ? Stream.concat(plan.parts().stream().map(Part::key), Stream.of(StackPlan.NETWORK))
                        .collect(Collectors.toSet())
                : starting;
    }

    /**
     * Starts a stack that outlives this program, and returns when every row has answered.
     *
     * @param distanceMillis of the network between the stack's processes; empty if there is to be no network
     * @param control the service by which the live page rules the stack
     * @throws StackException something did not start, and nothing is left running
     * @throws ProcessException a process did not start, and nothing is left running
     */
    public static void detached(
            Stack stack, Selection selection, OptionalInt distanceMillis, Control control, Steps steps) {
        StackPlan plan = StackPlan.of(stack, selection)
                .obtain(distanceMillis, steps::line)
                .with(control);
        all(plan, Lifetime.DETACHED, steps);
    }

    /**
     * Starts a whole stack, and returns when every row has answered.
     *
     * @param plan the plan; this machine must have all that it needs
     * @throws StackException something did not start, and nothing is left running
     * @throws ProcessException a process did not start, and nothing is left running
     * @throws UsageException the rows have a cluster that this machine has no memory for
     */
    static void all(StackPlan plan, Lifetime lifetime, Steps steps) {
        Stack stack = plan.stack();
        plan.requireFree(name -> true);
        ProcessMemory.available().ifPresent(plan::requireMemory);
        stack.clear();
        // The jars are recorded before another stack may be prepared, because that deletes jars without a record.
        try (UnpackedJars unpacked = UnpackedJars.open(stack.repository())) {
            stack.record(StackState.of(plan, unpacked.of(plan.services())));
            stack.recordTargets(plan.prometheusTargets());
        }
        new Startup(plan, Set.of(), lifetime, steps).run();
    }

    /**
     * Starts some processes of a stack again: on the same ports, from the same jars and with the data that they left.
     * It first stops those of them that still run. Returns when the rows have answered whose calls need one of these
     * processes, except rows that lack something else.
     *
     * @param members the members of the stack to start
     * @param control the service by which the live page rules the stack
     * @param lifetime of the processes that are started
     * @return the duration in seconds
     * @throws StackException a process did not start, and those that this started are stopped again; or all of them
     *     started, and a row does not answer right
     * @throws ProcessException a process did not start, and those that this started are stopped again
     */
    public static double again(Stack stack, List<Member> members, Control control, Lifetime lifetime, Steps steps) {
        long begin = System.nanoTime();
        StackPlan plan = StackPlan.of(stack);
        if (!stack.state().controlToken().isEmpty()) {
            plan = plan.with(control);
        }
        StackPlan used = plan;
        Set<String> starting =
                members.stream().map(member -> starter(used, member)).collect(Collectors.toSet());
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

    /** The key of the member to start for this one: for a process beside a broker, such as epmd, the broker's key. */
    private static String starter(StackPlan plan, Member member) {
        List<String> brokers = plan.brokers().stream().map(Part::key).toList();
        return brokers.stream()
                .filter(key -> !brokers.contains(member.key()) && member.key().startsWith(key + "-"))
                // The process beside kafka-1 is neither that of kafka nor that of another node.
                .max(Comparator.comparingInt(String::length))
                .orElse(member.key());
    }

    /**
     * Stops the processes to start again that still run, with those beside a broker: the broker starts these anew.
     *
     * @throws StackException a responder would not find its broker, and then nothing was stopped; or another program
     *     has taken a port, and then the processes were stopped
     */
    private void replace() {
        List<Member> replaced = new ArrayList<>();
        for (Member member : stack.members()) {
            if (starting.contains(starter(plan, member))) {
                replaced.add(member);
            } else {
                stack.process(member).ifPresent(process -> running.put(member.key(), process));
            }
        }
        plan.rows().forEach(this::requireBroker);
        Stack.stop(replaced.stream()
                .flatMap(member -> stack.process(member).stream())
                .toList());
        plan.requireFree(replaced.stream().map(Member::name).toList()::contains);
    }

    /** Refuses to start a responder without its broker or the network before it: it would never be well. */
    private void requireBroker(Row row) {
        Optional<Service> responder = plan.responders(row).stream()
                .filter(service -> starting.contains(service.key()))
                .findFirst();
        if (row.broker().isEmpty() || responder.isEmpty()) {
            return;
        }
        for (String key : plan.missing(row, this::isThere)) {
            String name = key.substring(key.indexOf(' ') + 1);
            boolean frozen = running.containsKey(key);
            throw new StackException("%s cannot be well without %s, which is %s. First: %s"
                    .formatted(
                            responder.get().name(),
                            name,
                            frozen ? "frozen" : "dead",
                            stack.command((frozen ? "fault resume " : "fault restart ") + name)));
        }
    }

    private static boolean isService(String key) {
        return key.startsWith(Member.key(Member.Kind.SERVICE, ""));
    }

    /** Whether the member is being started, or runs and is not frozen. */
    private boolean isThere(String key) {
        ChildProcess process = running.get(key);
        return starting.contains(key) || process != null && !process.isFrozen();
    }

    private void run() {
        Thread hook = new Thread(this::interrupt, "interrupt-startup");
        Runtime.getRuntime().addShutdownHook(hook);
        ExecutorService executor = Executors.newCachedThreadPool();
        try (Steps.Timer timer = new Steps.Timer(steps)) {
            if (plan.network().isPresent() && starting.contains(StackPlan.NETWORK)) {
                timer.time(Toxiproxy.NAME, this::startNetwork);
            }
            // All parts start at once: services wait for their brokers by themselves, and no processor should be idle.
            Map<String, CompletableFuture<?>> starts = new HashMap<>();
            for (Part part : plan.parts()) {
                if (starting.contains(part.key())) {
                    starts.put(
                            part.key(),
                            CompletableFuture.runAsync(() -> timer.time(part.name(), () -> start(part)), executor));
                }
            }
            List<CompletableFuture<?>> all = new ArrayList<>(starts.values());
            for (Row row : plan.rows()) {
                List<String> needed = plan.keys(row);
                if (needed.stream().anyMatch(starting::contains)
                        && needed.stream().filter(Startup::isService).allMatch(this::isThere)
                        && plan.missing(row, this::isThere).isEmpty()) {
                    // A call before the services are up would fail, and slow those that still start.
                    CompletableFuture<?>[] services = needed.stream()
                            .filter(Startup::isService)
                            .flatMap(key -> Stream.ofNullable(starts.get(key)))
                            .toArray(CompletableFuture<?>[]::new);
                    all.add(CompletableFuture.allOf(services)
                            .thenRunAsync(() -> timer.time("a call over " + row.name(), () -> call(row)), executor));
                }
            }
            await(all);
            // This throws if the hook is already running.
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (RuntimeException e) {
            abort();
            if (!interrupted) {
                // Without this, the hook would print a line about an interrupt when this JVM ends.
                Runtime.getRuntime().removeShutdownHook(hook);
            }
            // If the hook stopped the processes, this exception only follows from that, and another one says so.
            throw interrupted
                    ? new StackException(
                            whole ? "Nothing is left running." : "What was started again is stopped; the others run.")
                    : e;
        } finally {
            executor.shutdownNow();
        }
        if (!unanswered.isEmpty()) {
            throw new StackException("All of it runs, but not every row answers right:%n  %s"
                    .formatted(String.join("\n  ", unanswered)));
        }
    }

    /** Throws the first failure, without waiting for the other tasks. */
    private static void await(List<CompletableFuture<?>> tasks) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        tasks.forEach(task -> task.whenComplete((done, failure) -> {
            if (failure != null) {
                end.completeExceptionally(failure);
            }
        }));
        CompletableFuture.allOf(tasks.toArray(CompletableFuture<?>[]::new)).thenAccept(end::complete);
        try {
            end.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("Interrupted.");
        }
    }

    private void startNetwork() {
        Toxiproxy.start(
                plan.network(),
                plan.upstreams(),
                stack.log(Toxiproxy.NAME),
                lifetime,
                process -> add(
                        Member.of(Member.Kind.NETWORK, process, plan.network().port(), Toxiproxy.HEALTH, ""), process));
    }

    private void start(Part part) {
        if (part instanceof PlannedBroker planned) {
            planned.start(stack.directory(), lifetime, process -> add(part.member(process), process));
        } else if (part instanceof Service service) {
            if (plan.control().filter(service::equals).isPresent()) {
                Control.prepare(stack);
            }
            ChildProcess process = service.start(stack, state.jars(), state.faultsToken(), lifetime);
            add(part.member(process), process);
            process.awaitReady(
                    () -> LocalHttp.get(service.port(), service.health()).status() == 200, READY_TIMEOUT);
        }
    }

    /** Returns when the row answers its smallest request right at each aggregator. */
    private void call(Row row) {
        plan.aggregators().forEach(aggregator -> call(row, aggregator));
    }

    private void call(Row row, Service aggregator) {
        int port = aggregator.port();
        String path =
                "/%s/square/%s/1".formatted(row.name(), row.exchanges().get(0).text());
        AtomicReference<String> last = new AtomicReference<>("nothing");
        try {
            process(aggregator)
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
                throw new StackException(message);
            }
            // What was started is well; so the cause is a fault that somebody set, or another part.
            unanswered.add(message);
        }
    }

    private ChildProcess process(Service service) {
        return Stream.concat(started().stream(), Stream.ofNullable(running.get(service.key())))
                .filter(process -> process.name().equals(service.name()))
                .findFirst()
                .orElseThrow(() -> new StackException("Stopped."));
    }

    private synchronized List<ChildProcess> started() {
        return List.copyOf(started);
    }

    /**
     * Records a process as soon as it exists, so that {@code down} finds it however this program ends.
     *
     * @throws StackException this startup was aborted before; the process is then stopped
     */
    private void add(Member member, ChildProcess process) {
        synchronized (this) {
            if (!stopped) {
                started.add(process);
                stack.record(member);
                return;
            }
        }
        process.stop(Duration.ZERO);
        throw new StackException("%s was stopped.".formatted(process));
    }

    /** Stops the processes that were started, and prevents further starts. */
    private void abort() {
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

    /** Runs on Ctrl-C and similar signals. After it, Java exits with 128 plus the signal's number. */
    private void interrupt() {
        interrupted = true;
        steps.line("Interrupted; stopping what was started.");
        abort();
    }
}
