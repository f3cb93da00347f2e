package dev.chatterbox.stack;

import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.rows.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/** Starts a stack, or those of its processes that have ended: all of them or none. */
public final class Startup {

    private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(1);
    private static final LocalHttp.Answer RIGHT = new LocalHttp.Answer(200, "[{\"1\":1}]");

    private final StackPlan plan;
    private final Stack stack;
    private final StackState state;
    private final Lifetime lifetime;
    private final Steps steps;

    /** Whether the whole stack is started. */
    private final boolean whole;

    /** The keys of the members that are started. */
    private final Set<String> starting;

    /** The processes that go on meanwhile, by the keys of their members. */
    private final Map<String, ChildProcess> running = new TreeMap<>();

    /** What has been started so far. Guarded by this. */
    private final List<ChildProcess> started = new ArrayList<>();

    /** Nothing more may be started. Guarded by this. */
    private boolean stopped;

    /** For each row that does not answer right, although all that it needs is up, what it answers. */
    private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();

    private volatile boolean interrupted;

    /** @param starting the keys of the members that are started; empty for all */
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
     * Starts a stack that outlives this program, and returns when every row has answered. The archives for faster
     * starts that are missing are then made in the background.
     *
     * @param distanceMillis of the network between its processes; empty for none
     * @param control that rules it
     * @throws StackException something did not start, and nothing is left running
     * @throws ProcessException likewise
     */
    public static void detached(
            Stack stack, Selection selection, OptionalInt distanceMillis, Control control, Steps steps) {
        StackPlan plan = StackPlan.of(stack, selection)
                .obtain(distanceMillis, steps::line)
                .with(control);
        if (!all(plan, Lifetime.DETACHED, steps)) {
            Archives.of(stack.repository()).start(stack.state().rows(), steps);
        }
    }

    /**
     * Starts a whole stack, and returns when every row has answered.
     *
     * @param plan all of which this machine can have
     * @return whether all its Java processes started from archives of their classes
     * @throws StackException something did not start, and nothing is left running
     * @throws ProcessException likewise
     */
    static boolean all(StackPlan plan, Lifetime lifetime, Steps steps) {
        Stack stack = plan.stack();
        plan.requireFree(name -> true);
        stack.clear();
        Map<String, Path> jars;
        // What runs is recorded before another stack may be prepared, which would delete jars that nobody uses.
        try (UnpackedJars unpacked = UnpackedJars.open(stack.repository())) {
            jars = unpacked.of(plan.services());
            stack.record(StackState.of(plan, jars));
            stack.recordTargets(plan.prometheusTargets());
        }
        new Startup(plan, Set.of(), lifetime, steps).run();
        return plan.parts().stream()
                .flatMap(part -> part.archive(stack.repository(), jars).stream())
                .allMatch(Files::exists);
    }

    /**
     * Starts processes of a stack again and no others: on the same ports, from the same jars and with the data that
     * they left. Those that still run are stopped before. Returns when every row has answered whose calls need one of
     * them, and have all else that they need.
     *
     * @param members some of the stack's
     * @param control that rules it
     * @param lifetime of what is started
     * @return how long it took, in seconds
     * @throws StackException something did not start, and what this started is stopped again; or all of it did, and a
     *     row does not answer right
     * @throws ProcessException something did not start, likewise
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

    /** The same for members that are dead; returns a sentence for people. */
    public static String heal(Stack stack, List<Member> dead, Control control, Lifetime lifetime, Steps steps) {
        double seconds = again(stack, dead, control, lifetime, steps);
        return "%s %s up again after %.1f s.".formatted(Member.names(dead), dead.size() == 1 ? "is" : "are", seconds);
    }

    /** The key of the member whose start starts it: of a process beside a broker, as RabbitMQ's epmd is, the broker's. */
    private static String starter(StackPlan plan, Member member) {
        return plan.brokers().stream()
                .map(Part::key)
                .filter(key -> member.key().startsWith(key + "-"))
                .findFirst()
                .orElse(member.key());
    }

    /**
     * Stops what is started again and still runs, with the processes beside a broker: the broker starts them anew.
     *
     * @throws StackException a responder would not find its broker, or somebody else has taken a port; nothing, or what
     *     still ran, is stopped then
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

    /** Without its broker, or the network before it, a responder is never well. */
    private void requireBroker(Row row) {
        String responder = row.responder().map(Row.Responder::name).orElse("");
        if (row.broker().isEmpty() || !starting.contains(Member.key(Member.Kind.SERVICE, responder))) {
            return;
        }
        for (String key : plan.keys(row)) {
            if (!isService(key) && !isThere(key)) {
                String name = key.substring(key.indexOf(' ') + 1);
                boolean frozen = running.containsKey(key);
                throw new StackException("%s cannot be well without %s, which is %s. First: %s"
                        .formatted(
                                responder,
                                name,
                                frozen ? "frozen" : "dead",
                                stack.command((frozen ? "fault resume " : "fault restart ") + name)));
            }
        }
    }

    private static boolean isService(String key) {
        return key.startsWith(Member.key(Member.Kind.SERVICE, ""));
    }

    /** Whether it is started, or runs and is not frozen. */
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
            // All at once: services wait for their brokers by themselves, and a processor that waits is lost.
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
                        && needed.stream().allMatch(this::isThere)) {
                    // Calls before that would be in vain, and cost the services that still start their time.
                    CompletableFuture<?>[] services = needed.stream()
                            .filter(Startup::isService)
                            .flatMap(key -> Stream.ofNullable(starts.get(key)))
                            .toArray(CompletableFuture<?>[]::new);
                    all.add(CompletableFuture.allOf(services)
                            .thenRunAsync(() -> timer.time("a call over " + row.name(), () -> call(row)), executor));
                }
            }
            await(all);
            // Throws if the hook is already running.
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (RuntimeException e) {
            abort();
            if (!interrupted) {
                // Or it would speak of an interrupt when this JVM ends.
                Runtime.getRuntime().removeShutdownHook(hook);
            }
            // The processes that the hook stopped are not the cause.
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

    /** Ends with the first failure, without waiting for the others. */
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
        List<String> flags = part.archive(stack.repository(), state.jars())
                .filter(archive -> stack.repository().archives())
                .map(Archives::flags)
                .orElse(List.of());
        if (part instanceof PlannedBroker planned) {
            planned.start(stack.directory(), lifetime, process -> add(part.member(process), process), flags);
        } else if (part instanceof Service service) {
            if (plan.control().filter(service::equals).isPresent()) {
                Control.prepare(stack);
            }
            ChildProcess process = service.start(stack, state.jars(), flags, state.faultsToken(), lifetime);
            add(part.member(process), process);
            process.awaitReady(
                    () -> LocalHttp.get(service.port(), service.health()).status() == 200, READY_TIMEOUT);
        }
    }

    /** Returns when the smallest request to a row is answered right. */
    private void call(Row row) {
        int port = plan.aggregator().port();
        String path =
                "/%s/square/%s/1".formatted(row.name(), row.exchanges().get(0).text());
        AtomicReference<String> last = new AtomicReference<>("nothing");
        try {
            aggregator()
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
            // What was started is well; a fault that somebody set, or another part, is not.
            unanswered.add(message);
        }
    }

    private ChildProcess aggregator() {
        return Stream.concat(
                        started().stream(),
                        Stream.ofNullable(running.get(plan.aggregator().key())))
                .filter(process -> process.name().equals(plan.aggregator().name()))
                .findFirst()
                .orElseThrow(() -> new StackException("Stopped."));
    }

    private synchronized List<ChildProcess> started() {
        return List.copyOf(started);
    }

    /**
     * Records a process as soon as it exists, so that {@code down} finds it whatever becomes of this program.
     *
     * @throws StackException this startup was aborted before; the process is stopped, too
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

    /** Stops what was started, and lets nothing more be started. */
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

    /** Ctrl-C and its like. Java goes on to exit with 128 and the signal's number. */
    private void interrupt() {
        interrupted = true;
        steps.line("Interrupted; stopping what was started.");
        abort();
    }
}
