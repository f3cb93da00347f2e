package dev.chatterbox.stack;

import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.rows.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Starts a stack, or those of its processes that have ended: all of them or none. */
public final class Startup {

    private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(1);
    private static final LocalHttp.Answer RIGHT = new LocalHttp.Answer(200, "[{\"1\":1}]");

    private final Repository repository;
    private final StackPlan plan;
    private final Stack stack;
    private final Steps steps;
    private final Lifetime lifetime;
    private final Part part;
    private final StackState state;

    /** What has been started so far. Guarded by this. */
    private final List<ChildProcess> started = new ArrayList<>();

    /** Nothing more may be started. Guarded by this. */
    private boolean stopped;

    /** Opened when the service of that name is healthy. */
    private final Map<String, CountDownLatch> ready = new ConcurrentHashMap<>();

    /** For each row that does not answer right, although all that it needs is up, what it answers. */
    private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();

    private volatile boolean interrupted;

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
            Repository repository,
            Stack stack,
            Selection selection,
            OptionalInt distanceMillis,
            Control control,
            Steps steps) {
        StackPlan plan = StackPlan.of(repository, stack, selection)
                .obtain(repository, stack, distanceMillis, steps::line)
                .with(repository, stack, control);
        if (!all(repository, plan, stack, Lifetime.DETACHED, steps)) {
            Archives.of(repository).start(stack.state().rows(), steps);
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
    static boolean all(Repository repository, StackPlan plan, Stack stack, Lifetime lifetime, Steps steps) {
        plan.requireFree(stack, name -> true);
        stack.clear();
        Map<String, Path> jars = new ConcurrentSkipListMap<>();
        // What runs is recorded before another stack may be prepared, which would delete jars that nobody uses.
        try (UnpackedJars unpacked = UnpackedJars.open(repository)) {
            plan.services().parallelStream()
                    .forEach(service ->
                            service.jar(repository).ifPresent(jar -> jars.put(service.name(), unpacked.of(jar))));
            stack.record(new StackState(
                    plan.rows().stream().map(Row::name).toList(),
                    plan.disabled(),
                    plan.clients(),
                    token(),
                    plan.control().map(service -> token()).orElse(""),
                    jars,
                    plan.network()));
            stack.recordTargets(plan.prometheusTargets());
        }
        new Startup(repository, plan, stack, steps, lifetime, Part.all(plan)).run();
        return Stream.concat(
                        jars.values().stream().map(UnpackedJars::home),
                        plan.brokers().stream().flatMap(broker -> broker.home(repository).stream()))
                .allMatch(home -> Files.exists(Archives.file(home)));
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
    public static double again(
            Repository repository, Stack stack, List<Member> members, Control control, Lifetime lifetime, Steps steps) {
        long begin = System.nanoTime();
        StackPlan plan = StackPlan.of(repository, stack);
        if (!stack.state().controlToken().isEmpty()) {
            plan = plan.with(repository, stack, control);
        }
        Part part = Part.of(plan, stack, members);
        part.requireBrokers(stack);
        part.stop(stack);
        new Startup(repository, plan, stack, steps, lifetime, part).run();
        return (System.nanoTime() - begin) / 1e9;
    }

    /** The same for members that are dead; returns a sentence for people. */
    public static String heal(
            Repository repository, Stack stack, List<Member> dead, Control control, Lifetime lifetime, Steps steps) {
        double seconds = again(repository, stack, dead, control, lifetime, steps);
        return "%s %s up again after %.1f s.".formatted(Member.names(dead), dead.size() == 1 ? "is" : "are", seconds);
    }

    private Startup(Repository repository, StackPlan plan, Stack stack, Steps steps, Lifetime lifetime, Part part) {
        this.repository = repository;
        this.plan = plan;
        this.stack = stack;
        this.steps = steps;
        this.lifetime = lifetime;
        this.part = part;
        this.state = stack.state();
    }

    private void run() {
        Thread hook = new Thread(this::interrupt, "interrupt-startup");
        Runtime.getRuntime().addShutdownHook(hook);
        ExecutorService executor = Executors.newCachedThreadPool();
        try (Steps.Timer timer = new Steps.Timer(steps)) {
            if (part.starts(Member.Kind.NETWORK, Toxiproxy.NAME)) {
                timer.time(Toxiproxy.NAME, this::startNetwork);
            }
            // All at once: services wait for their brokers by themselves, and a processor that waits is lost.
            List<Runnable> tasks = new ArrayList<>();
            plan.brokers().stream()
                    .filter(broker -> part.starts(Member.Kind.BROKER, broker.name()))
                    .forEach(broker -> tasks.add(() -> timer.time(broker.name(), () -> start(broker))));
            for (Service service : plan.services()) {
                if (part.starts(Member.Kind.SERVICE, service.name())) {
                    tasks.add(() -> timer.time(service.name(), () -> start(service)));
                } else {
                    latch(service.name()).countDown();
                }
            }
            plan.rows().stream()
                    .filter(part::concerns)
                    .forEach(row -> tasks.add(() -> {
                        awaitReady(row);
                        timer.time("a call over " + row.name(), () -> call(row));
                    }));
            inParallel(executor, tasks);
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
                            part.whole()
                                    ? "Nothing is left running."
                                    : "What was started again is stopped; the others run.")
                    : e;
        } finally {
            executor.shutdownNow();
        }
        if (!unanswered.isEmpty()) {
            throw new StackException("All of it runs, but not every row answers right:%n  %s"
                    .formatted(String.join("\n  ", unanswered)));
        }
    }

    private List<String> flags(Optional<Path> home) {
        return home.filter(used -> repository.archives()).map(Archives::flags).orElse(List.of());
    }

    /** Ends with the first failure, without waiting for the others. */
    private void inParallel(ExecutorService executor, List<Runnable> tasks) {
        CompletionService<Void> running = new ExecutorCompletionService<>(executor);
        tasks.forEach(task -> running.submit(Executors.callable(task, null)));
        try {
            for (int done = 0; done < tasks.size(); done++) {
                running.take().get();
            }
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
                process -> add(Member.Kind.NETWORK, process, plan.network().port(), Toxiproxy.HEALTH, ""));
    }

    private void start(PlannedBroker planned) {
        planned.start(
                stack.directory(),
                lifetime,
                process -> add(Member.Kind.BROKER, process, planned.clientPort(), "", ""),
                flags(planned.home(repository)));
    }

    private void start(Service service) {
        plan.control().filter(service::equals).ifPresent(control -> Control.prepare(stack));
        Optional<Path> jar = Optional.ofNullable(state.jars().get(service.name()));
        ChildProcess process = ChildProcess.start(
                service.name(),
                service.command(stack.directory(), jar, flags(jar.map(UnpackedJars::home)), state.faultsToken()),
                stack.log(service.name()),
                lifetime);
        add(
                Member.Kind.SERVICE,
                process,
                service.port(),
                service.health(),
                service.faults().orElse(""));
        process.awaitReady(() -> LocalHttp.get(service.port(), service.health()).status() == 200, READY_TIMEOUT);
        latch(service.name()).countDown();
    }

    private CountDownLatch latch(String service) {
        return ready.computeIfAbsent(service, name -> new CountDownLatch(1));
    }

    /** Without this, calls would be tried in vain, and that costs the services that still start their time. */
    private void awaitReady(Row row) {
        try {
            latch(plan.aggregator().name()).await();
            if (row.responder().isPresent()) {
                latch(row.responder().get().name()).await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("Interrupted.");
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
            if (part.whole()) {
                throw new StackException(message);
            }
            // What was started is well; a fault that somebody set, or another part, is not.
            unanswered.add(message);
        }
    }

    private ChildProcess aggregator() {
        String name = plan.aggregator().name();
        return Stream.concat(
                        started().stream(),
                        Optional.ofNullable(part.running().get(Member.key(Member.Kind.SERVICE, name))).stream())
                .filter(process -> process.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new StackException("Stopped."));
    }

    private synchronized List<ChildProcess> started() {
        return List.copyOf(started);
    }

    /**
     * Records a process as soon as it exists, so that {@code down} finds it whatever becomes of this program.
     *
     * @param health as a {@link Member} has it, likewise faults
     * @throws StackException this startup was aborted before; the process is stopped, too
     */
    private void add(Member.Kind kind, ChildProcess process, int port, String health, String faults) {
        synchronized (this) {
            if (!stopped) {
                started.add(process);
                stack.record(new Member(kind, process.name(), process.pid(), process.start(), port, health, faults));
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
        if (part.whole()) {
            stack.forget();
        }
    }

    /** Ctrl-C and its like. Java goes on to exit with 128 and the signal's number. */
    private void interrupt() {
        interrupted = true;
        steps.line("Interrupted; stopping what was started.");
        abort();
    }

    private static String token() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
