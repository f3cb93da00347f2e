package dev.chatterbox.cli;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.cli.compare.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The stack that a comparison runs on: one that {@code up} started, or else one of its own, which ends with this JVM however
 * that ends. While it is open, neither {@code up} nor {@code down} may touch it.
 */
final class Testbed implements AutoCloseable {

    private final Repository repository;
    private final Plan plan;
    private final Stack stack;
    private final Stack.Lock lock;
    private final boolean own;
    private boolean closed;

    private Testbed(Repository repository, Plan plan, Stack stack, Stack.Lock lock, boolean own) {
        this.repository = repository;
        this.plan = plan;
        this.stack = stack;
        this.lock = lock;
        this.own = own;
    }

    /**
     * @param offset of the ports; if nothing was said of it, other ports are taken where these are not free
     * @throws CliException a stack runs, but not all of it; or none does, and another one could not be started
     */
    static Testbed open(Repository repository, Optional<Integer> offset, Terminal terminal) throws IOException {
        Stack stack = repository.stack(offset.orElse(0));
        Plan plan = Plan.of(repository, stack);
        Stack.Lock lock = stack.lock();
        try {
            if (Up.runs(stack)) {
                terminal.line(
                        "Using the stack that runs. (To compare on a fresh one: %s)".formatted(stack.command("down")));
                return new Testbed(repository, plan, stack, lock, false);
            }
            if (offset.isEmpty() && isTaken(plan)) {
                lock.close();
                stack = free(repository);
                plan = Plan.of(repository, stack);
                lock = stack.lock();
                terminal.line("Some of the usual ports are taken, so all are moved by %d.".formatted(stack.offset()));
            }
            Up.requireFree(plan, stack);
            stack.clear();
            new Startup(repository, plan, stack, terminal, Lifetime.WITH_PARENT).run();
            return new Testbed(repository, plan, stack, lock, true);
        } catch (RuntimeException | IOException e) {
            lock.close();
            throw e;
        }
    }

    private static boolean isTaken(Plan plan) {
        return plan.ports().stream().anyMatch(use -> Ports.owner(use.getKey()).isPresent());
    }

    private static Stack free(Repository repository) {
        return IntStream.rangeClosed(1, 20)
                .mapToObj(n -> repository.stack(n * 1000))
                .filter(stack -> stack.members().isEmpty() && !isTaken(Plan.of(repository, stack)))
                .findFirst()
                .orElseThrow(() -> new CliException("No free ports were found. To choose them: --port-offset N"));
    }

    Target target() {
        Map<String, Target.Process> processes = new LinkedHashMap<>();
        for (Member member : stack.members()) {
            processes.put(
                    key(member.kind(), member.name()), new Target.Process(member.name(), member.pid(), member.port()));
        }
        Map<String, String> environment = stack.environment();
        List<Target.Transport> transports = new ArrayList<>();
        for (Transport transport : repository.transports()) {
            Target.Process responder = processes.get(key(Member.Kind.SERVICE, transport.module()));
            if (responder == null) {
                // It came after the stack was started.
                continue;
            }
            transports.add(new Target.Transport(
                    transport.name(),
                    transport.kind(),
                    responder,
                    stack.jar(repository.jar(transport.module())),
                    plan.brokers().stream()
                            .filter(planned -> transport
                                    .broker()
                                    .filter(type -> type.isInstance(planned.broker()))
                                    .isPresent())
                            .flatMap(planned ->
                                    Optional.ofNullable(processes.get(key(Member.Kind.BROKER, planned.name())))
                                            .stream())
                            .findFirst(),
                    transport.rawClient().map(main -> new Target.RawClient(main, environment))));
        }
        Target.Process aggregator =
                processes.get(key(Member.Kind.SERVICE, plan.aggregator().name()));
        if (aggregator == null) {
            throw new CliException(
                    "The stack has no %s.".formatted(plan.aggregator().name()));
        }
        return new Target(aggregator, transports, List.copyOf(processes.values()));
    }

    /** A broker may have the name of a service. */
    private static String key(Member.Kind kind, String name) {
        return kind + " " + name;
    }

    /** Stops what this testbed started; a second time it does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (own) {
            for (Member.Kind kind : List.of(Member.Kind.SERVICE, Member.Kind.BROKER)) {
                List<ChildProcess> processes = stack.members().stream()
                        .filter(member -> member.kind() == kind)
                        .flatMap(member -> stack.process(member).stream())
                        .toList();
                Down.stop(processes);
            }
            stack.forget();
        }
        try {
            lock.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
