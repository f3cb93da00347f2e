package dev.chatterbox.stack;

import dev.chatterbox.brokers.Launch;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
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
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts a stack, or those of its processes that have ended: all of them or none. Every process is recorded as soon as
 * it exists, so that {@code down} finds it whatever becomes of this program.
 */
public final class Startup {

    private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(1);
    private static final LocalHttp.Answer RIGHT = new LocalHttp.Answer(200, "[{\"1\":1}]");

    private final Repository repository;
    private final StackPlan plan;
    private final Stack stack;
    private final Steps steps;
    private final Lifetime lifetime;
    private final boolean archivesWanted;

    /** Of the stack, where only a part of it is started. */
    private final Optional<Rest> rest;

    /** When the wait for each began, by {@link System#nanoTime}. */
    private final Map<String, Long> waiting = new ConcurrentSkipListMap<>();

    /** That run, by the service's name. */
    private final Map<String, Path> jars = new TreeMap<>();

    /** That let a Java process start from its archive, by its name. */
    private final Map<String, List<String>> flags = new TreeMap<>();

    private final String faultsToken;
    private final String controlToken;
    private final List<ChildProcess> processes = new ArrayList<>();

    /** Opened when the service of that name is healthy. */
    private final Map<String, CountDownLatch> ready = new ConcurrentHashMap<>();

    /** Of rows that did not answer right, although all that they need is up. */
    private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();

    private boolean aborted;
    private volatile boolean interrupted;

    /**
     * Starts a stack that outlives this program, and returns when every row has answered.
     *
     * @param distanceMillis of the network between its processes; empty for none
     * @param control that rules it
     * @param archives whether to make and use archives for faster starts
     * @return what was started: without the rows that cannot be had on this machine
     * @throws StackException something did not start, and nothing is left running
     * @throws ProcessException likewise
     */
    public static StackPlan detached(
            Repository repository,
            Stack stack,
            Selection selection,
            OptionalInt distanceMillis,
            Control control,
            Steps steps,
            boolean archives) {
        StackPlan plan = planned(repository, stack, selection, distanceMillis, steps::line)
                .with(control.service(repository, stack));
        plan.requireFree(stack);
        stack.clear();
        new Startup(repository, plan, stack, steps, Lifetime.DETACHED, archives).run();
        return plan;
    }

    /**
     * Starts processes of a stack again and no others: on the same ports, from the same jars and with the data that
     * they left. Those that still run are stopped before. Returns when every row has answered whose calls need one of
     * them, and have all else that they need.
     *
     * @param members some of the stack's
     * @param control that rules it
     * @param lifetime of what is started
     * @throws StackException something did not start, and what this started is stopped again; or all of it did, and a
     *     row does not answer right
     * @throws ProcessException something did not start, likewise
     */
    public static void again(
            Repository repository,
            Stack stack,
            List<Member> members,
            Control control,
            Lifetime lifetime,
            Steps steps,
            boolean archives) {
        StackPlan plan = StackPlan.of(repository, stack);
        if (!stack.state().controlToken().isEmpty()) {
            plan = plan.with(control.service(repository, stack));
        }
        List<Member> whole = withTheirBrokers(plan, stack, members);
        Rest rest = Rest.of(stack, whole);
        rest.requireBrokers(plan, stack);
        rest.stopCompanions(plan);
        Stack.stop(
                whole.stream().flatMap(member -> stack.process(member).stream()).toList());
        plan.requireFree(stack, whole.stream().map(Member::name).toList()::contains);
        new Startup(repository, plan, stack, steps, lifetime, archives, Optional.of(rest)).run();
    }

    /** In place of what runs beside a broker, such as RabbitMQ's epmd, the broker: it alone can start that. */
    private static List<Member> withTheirBrokers(StackPlan plan, Stack stack, List<Member> members) {
        return members.stream()
                .flatMap(member -> plan.brokers().stream()
                        .filter(broker -> member.key().startsWith(Member.key(Member.Kind.BROKER, broker.name() + "-")))
                        .findFirst()
                        .map(broker -> stack.members().stream()
                                .filter(other -> other.key().equals(Member.key(Member.Kind.BROKER, broker.name()))))
                        .orElseGet(() -> Stream.of(member)))
                .distinct()
                .toList();
    }

    /**
     * What is to be started, when all of it is on this machine.
     *
     * @param told of each program where it comes from
     */
    static StackPlan planned(
            Repository repository,
            Stack stack,
            Selection selection,
            OptionalInt distanceMillis,
            Consumer<String> told) {
        StackPlan plan = StackPlan.of(repository, stack, selection).obtain(repository, stack, told);
        if (distanceMillis.isEmpty()) {
            return plan;
        }
        told.accept("  %s: %s".formatted(Toxiproxy.NAME, Toxiproxy.program().origin()));
        Toxiproxy.program().obtain();
        return plan.over(repository, stack, distanceMillis.getAsInt());
    }

    /** @param plan all of which this machine can have */
    Startup(
            Repository repository,
            StackPlan plan,
            Stack stack,
            Steps steps,
            Lifetime lifetime,
            boolean archivesWanted) {
        this(repository, plan, stack, steps, lifetime, archivesWanted, Optional.empty());
    }

    private Startup(
            Repository repository,
            StackPlan plan,
            Stack stack,
            Steps steps,
            Lifetime lifetime,
            boolean archivesWanted,
            Optional<Rest> rest) {
        this.repository = repository;
        this.plan = plan;
        this.stack = stack;
        this.steps = steps;
        this.lifetime = lifetime;
        this.archivesWanted = archivesWanted;
        this.rest = rest;
        this.faultsToken = rest.map(there -> there.state().faultsToken()).orElseGet(Startup::token);
        this.controlToken = rest.map(there -> there.state().controlToken())
                .orElseGet(() -> plan.control().map(service -> token()).orElse(""));
        // An older build's, if that is what the others run.
        rest.ifPresent(there -> there.state().jars().forEach((name, jar) -> {
            if (Files.exists(jar)) {
                jars.put(name, jar);
            }
        }));
    }

    /**
     * Returns when every row has answered.
     *
     * @throws StackException something did not start, and nothing is left running
     * @throws ProcessException likewise
     */
    void run() {
        prepare();
        Thread hook = new Thread(this::interrupt, "interrupt-startup");
        Runtime.getRuntime().addShutdownHook(hook);
        ExecutorService executor = Executors.newCachedThreadPool();
        ScheduledExecutorService progress = Executors.newSingleThreadScheduledExecutor();
        progress.scheduleAtFixedRate(this::showProgress, 200, 200, TimeUnit.MILLISECONDS);
        try {
            if (plan.network().isThere() && isToStart(Member.Kind.NETWORK, Toxiproxy.NAME)) {
                timed(Toxiproxy.NAME, this::startNetwork);
            }
            // All at once: services wait for their brokers by themselves, and a processor that waits is lost.
            List<Runnable> tasks = new ArrayList<>();
            brokers().forEach(broker -> tasks.add(() -> start(broker)));
            services().forEach(service -> tasks.add(() -> start(service)));
            plan.services().stream()
                    .filter(service -> !services().contains(service))
                    .forEach(service -> latch(service.name()).countDown());
            plan.rows().stream()
                    .filter(row -> rest.isEmpty() || rest.get().concerns(plan, row))
                    .forEach(row -> tasks.add(() -> probe(row)));
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
                            rest.isEmpty()
                                    ? "Nothing is left running."
                                    : "What was started again is stopped; the others run.")
                    : e;
        } finally {
            executor.shutdownNow();
            progress.shutdownNow();
        }
        if (!unanswered.isEmpty()) {
            throw new StackException("All of it runs, but not every row answers right:%n  %s"
                    .formatted(String.join("\n  ", unanswered)));
        }
    }

    private boolean isToStart(Member.Kind kind, String name) {
        return rest.isEmpty() || rest.get().starting().contains(Member.key(kind, name));
    }

    private List<StackPlan.PlannedBroker> brokers() {
        return plan.brokers().stream()
                .filter(broker -> isToStart(Member.Kind.BROKER, broker.name()))
                .toList();
    }

    private List<StackPlan.Service> services() {
        return plan.services().stream()
                .filter(service -> isToStart(Member.Kind.SERVICE, service.name()))
                .toList();
    }

    /** What runs is recorded before anything else may be prepared: it would be taken for what nobody uses. */
    private void prepare() {
        try (Archives archives = Archives.open(repository, steps, archivesWanted)) {
            // One after the other: each keeps two processors busy.
            services().forEach(service -> prepare(service, archives));
            plan.control().filter(services()::contains).ifPresent(service -> Control.prepare(stack));
            brokers().forEach(broker -> prepare(broker, archives));
            stack.record(new StackState(
                    plan.rows().stream().map(Row::name).toList(),
                    plan.disabled(),
                    plan.clients(),
                    faultsToken,
                    controlToken,
                    jars,
                    plan.network().state()));
            stack.recordTargets(plan.prometheusTargets());
        }
    }

    private void prepare(StackPlan.Service service, Archives archives) {
        if (service.start() instanceof StackPlan.Start.Jar start) {
            Path jar = jars.computeIfAbsent(
                    service.name(), name -> archives.unpacked(name, repository.jar(start.module(), start.pattern())));
            flags.put(service.name(), archives.flags(service.name(), jar, (more, folder, log) -> {
                ChildProcess process =
                        ChildProcess.start(service.name(), command(service, more), log, Lifetime.WITH_PARENT);
                // Any answer will do: without its broker a responder says that it is not well.
                process.awaitReady(
                        () -> LocalHttp.get(service.port(), service.health()).status() > 0, READY_TIMEOUT);
                return process;
            }));
        }
    }

    private void prepare(StackPlan.PlannedBroker planned, Archives archives) {
        List<Path> classPath = planned.broker().classPath();
        if (!classPath.isEmpty()) {
            flags.put(
                    planned.name(),
                    archives.flags(
                            planned.name(),
                            classPath,
                            (more, folder, log) -> planned.broker()
                                    .start(new Launch(
                                            planned.ports(),
                                            folder,
                                            Lifetime.WITH_PARENT,
                                            process -> {},
                                            more,
                                            OptionalInt.empty()))
                                    .process()));
        }
    }

    private Map<String, String> environment(StackPlan.Service service) {
        Map<String, String> environment = new TreeMap<>(service.environment());
        environment.put("SERVER_ADDRESS", "127.0.0.1");
        environment.put("CHATTERBOX_FAULTS_TOKEN", faultsToken);
        return environment;
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
                stack.log(Toxiproxy.NAME),
                lifetime,
                process -> record(Member.Kind.NETWORK, process, plan.network().port(), Toxiproxy.HEALTH));
    }

    private void start(StackPlan.PlannedBroker planned) {
        timed(planned.name(), () -> {
            Launch launch = new Launch(
                    planned.ports(),
                    stack.directory(),
                    lifetime,
                    process -> record(Member.Kind.BROKER, process, planned.clientPort(), ""),
                    flags.getOrDefault(planned.name(), List.of()),
                    planned.advertisedPort());
            planned.broker().start(launch);
        });
    }

    private void start(StackPlan.Service service) {
        timed(service.name(), () -> {
            ChildProcess process = ChildProcess.start(
                    service.name(),
                    command(service, flags.getOrDefault(service.name(), List.of())),
                    stack.log(service.name()),
                    lifetime);
            record(
                    Member.Kind.SERVICE,
                    process,
                    service.port(),
                    service.health(),
                    service.faults().orElse(""));
            process.awaitReady(
                    () -> LocalHttp.get(service.port(), service.health()).status() == 200, READY_TIMEOUT);
        });
        latch(service.name()).countDown();
    }

    /** With the mark by which it is told apart from every other process, whatever its program is called. */
    private ProcessBuilder command(StackPlan.Service service, List<String> flags) {
        String mark = "chatterbox.process=" + service.name();
        List<String> command = new ArrayList<>();
        Path folder = stack.directory();
        if (service.start() instanceof StackPlan.Start.Jar jar) {
            List<String> java = new ArrayList<>(flags);
            // Java would choose the serial collector on a small machine.
            java.addAll(List.of("-Xms%dm".formatted(jar.heap()), "-Xmx%dm".formatted(jar.heap()), "-XX:+UseG1GC"));
            java.addAll(List.of(
                    "-D" + mark,
                    "-jar",
                    Objects.requireNonNull(jars.get(service.name())).toString()));
            command.addAll(JavaCommand.of(java));
        } else if (service.start() instanceof StackPlan.Start.Python python) {
            command.addAll(python.program().pythonCommand(python.environment().obtain()));
            command.add("--" + mark);
            folder = python.program().folder();
        } else if (service.start() instanceof StackPlan.Start.Command started) {
            command.addAll(started.words());
            command.add("--" + mark);
            folder = started.folder();
        }
        command.addAll(service.arguments());
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().putAll(environment(service));
        return builder;
    }

    private CountDownLatch latch(String service) {
        return ready.computeIfAbsent(service, name -> new CountDownLatch(1));
    }

    /** Without this, calls would be tried in vain, and that costs the services that still start their time. */
    private void awaitReady(String service) {
        try {
            latch(service).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("Interrupted.");
        }
    }

    /** Waits until the smallest request to a row is answered right, from the moment on at which it can be. */
    private void probe(Row row) {
        awaitReady(plan.aggregator().name());
        row.responder().ifPresent(responder -> awaitReady(responder.name()));
        timed("a call over " + row.name(), () -> {
            int port = plan.aggregator().port();
            String path = "/%s/square/%s/1"
                    .formatted(row.name(), row.exchanges().get(0).text());
            AtomicReference<String> last = new AtomicReference<>("nothing");
            try {
                aggregator()
                        .await(
                                () -> {
                                    running().forEach(ChildProcess::requireAlive);
                                    LocalHttp.Answer answer = LocalHttp.get(port, path);
                                    last.set(answer.status() + " " + answer.body());
                                    return answer.equals(RIGHT);
                                },
                                ANSWER_TIMEOUT);
            } catch (ProcessException e) {
                String message =
                        "http://localhost:%d%s answered: %s%n%s".formatted(port, path, last.get(), e.getMessage());
                if (rest.isEmpty()) {
                    throw new StackException(message);
                }
                // What was started is well; a fault that somebody set, or another part, is not.
                unanswered.add(message);
            }
        });
    }

    private synchronized List<ChildProcess> running() {
        return List.copyOf(processes);
    }

    private ChildProcess aggregator() {
        String name = plan.aggregator().name();
        return running().stream()
                .filter(process -> process.name().equals(name))
                .findFirst()
                .or(() -> rest.map(there -> there.running().get(Member.key(Member.Kind.SERVICE, name))))
                .orElseThrow(() -> new StackException("Stopped."));
    }

    private void record(Member.Kind kind, ChildProcess process, int port, String health) {
        record(kind, process, port, health, "");
    }

    private void record(Member.Kind kind, ChildProcess process, int port, String health, String faults) {
        synchronized (this) {
            if (!aborted) {
                processes.add(process);
                stack.record(new Member(kind, process.name(), process.pid(), process.started(), port, health, faults));
                return;
            }
        }
        process.stop(Duration.ZERO);
        throw new StackException("%s was stopped.".formatted(process));
    }

    /** Stops what was started and lets nothing start any more. */
    private void abort() {
        List<ChildProcess> started;
        synchronized (this) {
            aborted = true;
            started = List.copyOf(processes);
            processes.clear();
        }
        Stack.stop(started);
        if (rest.isEmpty()) {
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

    private void timed(String name, Runnable task) {
        long since = System.nanoTime();
        waiting.put(name, since);
        task.run();
        waiting.remove(name);
        steps.done(name, (System.nanoTime() - since) / 1e9);
    }

    private void showProgress() {
        long now = System.nanoTime();
        steps.progress(waiting.entrySet().stream()
                .map(entry ->
                        "%s %d s".formatted(entry.getKey(), TimeUnit.NANOSECONDS.toSeconds(now - entry.getValue())))
                .collect(Collectors.joining(", ", "… ", "")));
    }
}
