package dev.chatterbox.cli;

import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.brokers.Launch;
import dev.chatterbox.processes.Lifetime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * Starts a stack: all of it or nothing. Every process is recorded as soon as it exists, so that {@code down} finds it whatever
 * becomes of this program.
 */
final class Startup {

    private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(1);
    private static final Http.Answer RIGHT = new Http.Answer(200, "[{\"1\":1}]");

    private final Repository repository;
    private final Plan plan;
    private final Stack stack;
    private final Terminal terminal;
    private final Lifetime lifetime;

    /** What the services are told; complete when the brokers are up. */
    private final Map<String, String> environment = new ConcurrentHashMap<>();

    /** When the wait for each began, by {@link System#nanoTime}. */
    private final Map<String, Long> waiting = new ConcurrentSkipListMap<>();

    private final List<ChildProcess> processes = new ArrayList<>();
    private boolean aborted;
    private volatile boolean interrupted;

    Startup(Repository repository, Plan plan, Stack stack, Terminal terminal, Lifetime lifetime) {
        this.repository = repository;
        this.plan = plan;
        this.stack = stack;
        this.terminal = terminal;
        this.lifetime = lifetime;
        environment.putAll(plan.environment());
    }

    /**
     * Returns when every transport has answered.
     *
     * @throws CliException something did not start, and nothing is left running
     * @throws ProcessException likewise
     */
    void run() {
        Map<Plan.Service, Path> jars = copyJars();
        Thread hook = new Thread(this::interrupt, "interrupt-startup");
        Runtime.getRuntime().addShutdownHook(hook);
        ExecutorService executor = Executors.newCachedThreadPool();
        ScheduledExecutorService progress = Executors.newSingleThreadScheduledExecutor();
        progress.scheduleAtFixedRate(this::showProgress, 200, 200, TimeUnit.MILLISECONDS);
        try {
            List<Runnable> first = new ArrayList<>();
            List<Runnable> second = new ArrayList<>();
            plan.brokers().forEach(broker -> first.add(() -> start(broker)));
            jars.forEach((service, jar) -> (service.needsBroker() ? second : first).add(() -> start(service, jar)));
            inParallel(executor, first);
            stack.recordEnvironment(environment);
            inParallel(executor, second);
            inParallel(
                    executor,
                    plan.transports().stream()
                            .map(transport -> (Runnable) () -> probe(transport))
                            .toList());
            // Throws if the hook is already running.
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (RuntimeException e) {
            abort();
            if (!interrupted) {
                // Or it would speak of an interrupt when this JVM ends.
                Runtime.getRuntime().removeShutdownHook(hook);
            }
            // The processes that the hook stopped are not the cause.
            throw interrupted ? new CliException("Nothing is left running.") : e;
        } finally {
            executor.shutdownNow();
            progress.shutdownNow();
        }
    }

    /** A build may replace a jar while it runs, so what runs is a copy. */
    private Map<Plan.Service, Path> copyJars() {
        Map<Plan.Service, Path> copies = new LinkedHashMap<>();
        try {
            for (Plan.Service service : plan.services()) {
                Path jar = repository.jar(service.name());
                Path copy = stack.jar(jar);
                Files.createDirectories(copy.getParent());
                copies.put(service, Files.copy(jar, copy));
            }
            return copies;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
            throw new CliException("Interrupted.");
        }
    }

    private void start(Plan.PlannedBroker planned) {
        timed(planned.name(), () -> {
            Launch launch = new Launch(
                    planned.ports(),
                    stack.directory(),
                    lifetime,
                    process -> record(Member.Kind.BROKER, process, planned.clientPort()));
            environment.putAll(planned.broker().start(launch).environment());
        });
    }

    private void start(Plan.Service service, Path jar) {
        timed(service.name(), () -> {
            String heap = service.heap() + "m";
            ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(List.of(
                            "-Xms" + heap,
                            "-Xmx" + heap,
                            // Java would choose the serial collector on a small machine.
                            "-XX:+UseG1GC",
                            "-jar",
                            jar.toString())))
                    .directory(stack.directory().toFile());
            builder.environment().putAll(environment);
            builder.environment().put("SERVER_ADDRESS", "127.0.0.1");
            builder.environment().put("SERVER_PORT", Integer.toString(service.port()));
            ChildProcess process = ChildProcess.start(service.name(), builder, stack.log(service.name()), lifetime);
            record(Member.Kind.SERVICE, process, service.port());
            process.awaitReady(() -> Http.isHealthy(service.port()), READY_TIMEOUT);
        });
    }

    /** Waits until the smallest request over a transport is answered right. */
    private void probe(String transport) {
        timed("a call over " + transport, () -> {
            int port = plan.aggregator().port();
            String path = "/" + transport + "/square/unary/1";
            AtomicReference<String> last = new AtomicReference<>("nothing");
            try {
                aggregator()
                        .awaitReady(
                                () -> {
                                    running().forEach(ChildProcess::requireAlive);
                                    Http.Answer answer = Http.get(port, path);
                                    last.set(answer.status() + " " + answer.body());
                                    return answer.equals(RIGHT);
                                },
                                ANSWER_TIMEOUT);
            } catch (ProcessException e) {
                throw new CliException(
                        "http://localhost:%d%s answered: %s%n%s".formatted(port, path, last.get(), e.getMessage()));
            }
        });
    }

    private synchronized List<ChildProcess> running() {
        return List.copyOf(processes);
    }

    private ChildProcess aggregator() {
        return running().stream()
                .filter(process -> process.name().equals(plan.aggregator().name()))
                .findFirst()
                .orElseThrow(() -> new CliException("Stopped."));
    }

    private void record(Member.Kind kind, ChildProcess process, int port) {
        synchronized (this) {
            if (!aborted) {
                processes.add(process);
                stack.record(new Member(kind, process.name(), process.pid(), process.started(), port));
                return;
            }
        }
        process.stop(Duration.ZERO);
        throw new CliException("%s was stopped.".formatted(process));
    }

    /** Stops what was started and lets nothing start any more. */
    private void abort() {
        List<ChildProcess> started;
        synchronized (this) {
            aborted = true;
            started = List.copyOf(processes);
            processes.clear();
        }
        Down.stop(started);
        stack.forget();
    }

    /** Ctrl-C and its like. Java goes on to exit with 128 and the signal's number. */
    private void interrupt() {
        interrupted = true;
        terminal.line("Interrupted; stopping what was started.");
        abort();
    }

    private void timed(String name, Runnable task) {
        long since = System.nanoTime();
        waiting.put(name, since);
        task.run();
        waiting.remove(name);
        terminal.line("%s %-28s %5.1f s".formatted(terminal.green("✓"), name, (System.nanoTime() - since) / 1e9));
    }

    private void showProgress() {
        long now = System.nanoTime();
        terminal.progress(waiting.entrySet().stream()
                .map(entry ->
                        "%s %d s".formatted(entry.getKey(), TimeUnit.NANOSECONDS.toSeconds(now - entry.getValue())))
                .collect(Collectors.joining(", ", "… ", "")));
    }
}
