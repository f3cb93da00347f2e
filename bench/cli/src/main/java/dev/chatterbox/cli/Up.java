package dev.chatterbox.cli;

import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.stack.Control;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Member.Health;
import dev.chatterbox.stack.Part;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Selection;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.StackException;
import dev.chatterbox.stack.StackPlan;
import dev.chatterbox.stack.StackState;
import dev.chatterbox.stack.Startup;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.workloads.Dimension;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "up",
        description = {
            "Build what is stale, start what the rows need and leave it running.",
            "Where a stack runs, it starts again what is dead, and nothing else."
        })
final class Up implements Callable<Integer> {

    /** OpenTelemetry's own variables, which every service reads. */
    private static final String COLLECTOR = "OTEL_EXPORTER_OTLP_ENDPOINT";

    private static final String TRACES_COLLECTOR = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";

    private final Repository repository;
    private final Terminal terminal;
    private final Map<String, String> environment;

    @Mixin
    private final PortOffset offset = new PortOffset();

    @Mixin
    private final TransportsOption transports = new TransportsOption();

    @Option(
            names = "--replicas",
            paramLabel = "SERVICE=N",
            description = "N processes of a responder or of the aggregator, such as square-service-nats=3; repeatable.")
    private Map<String, Integer> replicas = Map.of();

    @Option(
            names = "--distance",
            paramLabel = "TIME",
            description = "Put a network between the processes, with this round-trip time, such as 5ms.")
    private @Nullable String distance;

    @Option(
            names = "--traces",
            paramLabel = "SHARE",
            description = "Trace this share of all requests, 0 to 1, to the collector at OTEL_EXPORTER_OTLP_ENDPOINT.")
    private double traces;

    Up(Repository repository, Terminal terminal, Map<String, String> environment) {
        this.repository = repository;
        this.terminal = terminal;
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        Selection selection =
                Selection.of(repository.rows(), transports.names).with(replicas).withTraces(traces);
        if (traces > 0
                && Stream.of(COLLECTOR, TRACES_COLLECTOR)
                        .allMatch(name -> environment.getOrDefault(name, "").isBlank())) {
            throw new UsageException(
                    "--traces: no collector is named. Set %s, such as http://localhost:4318".formatted(COLLECTOR));
        }
        int millis = distance == null ? 0 : Dimension.DISTANCE.parse(distance);
        CallTimeout.require(millis, CallTimeout.of(environment));
        Stack stack = repository.stack(offset.value);
        // This throws if a port is out of range, or if a responder's file has a mistake.
        StackPlan plan = StackPlan.of(stack, selection);
        try (Stack.Lock lock = stack.lock();
                Stack.Lock processes = stack.lockProcesses()) {
            List<Member> dead = stack.dead();
            if (dead.isEmpty() && !stack.runs()) {
                start(stack, selection, millis);
            } else {
                requireRows(stack, selection);
                if (!dead.isEmpty()) {
                    startAgain(stack, dead);
                }
                setDistance(stack, selection, millis);
                if (dead.isEmpty()) {
                    terminal.line("It already runs. To stop it: " + stack.command("down"));
                }
            }
            printAddresses(plan.aggregators(), stack);
            return ExitCode.OK;
        }
    }

    private void start(Stack stack, Selection selection, int millis) {
        long start = System.nanoTime();
        OptionalInt network = millis > 0 ? OptionalInt.of(millis) : OptionalInt.empty();
        Startup.detached(stack, selection, network, Chatterbox.CONTROL, terminal);
        terminal.line("Everything is up after %.0f s. To stop it: %s"
                .formatted((System.nanoTime() - start) / 1e9, stack.command("down")));
    }

    private void startAgain(Stack stack, List<Member> dead) {
        terminal.line("It already runs, but not all of it. Starting again: %s. The others go on as they are."
                .formatted(Member.names(dead)));
        String healed = Startup.heal(stack, dead, Chatterbox.CONTROL, Lifetime.DETACHED, terminal);
        terminal.line("%s To stop it all: %s".formatted(healed, stack.command("down")));
        for (Member member : stack.members()) {
            if (Health.of(stack, member) == Health.FROZEN) {
                terminal.line("%s is frozen. To let it go on: %s"
                        .formatted(member.name(), stack.command("fault resume " + member.name())));
            }
        }
    }

    /** A person who names no rows means the rows that run. */
    private static void requireRows(Stack stack, Selection selection) {
        StackState state = stack.state();
        selection.replicas().forEach((service, number) -> {
            int there = state.replicas().getOrDefault(service, 1);
            if (number != there) {
                throw new StackException("It already runs, with %d %s of %s. To start it with %d: %s && %s"
                        .formatted(
                                there,
                                there == 1 ? "process" : "processes",
                                service,
                                number,
                                stack.command("down"),
                                stack.command("up") + selection.option()));
            }
        });
        if (selection.traces() > 0 && selection.traces() != state.traces()) {
            throw new StackException(
                    "It already runs, and traces %s of the requests. To start it with --traces %s: %s && %s"
                            .formatted(
                                    state.traces(),
                                    selection.traces(),
                                    stack.command("down"),
                                    stack.command("up") + selection.option()));
        }
        if (selection.chosen().isEmpty()) {
            return;
        }
        List<String> missing = selection.names().stream()
                .filter(row -> !state.rows().contains(row) && !state.disabled().containsKey(row))
                .toList();
        if (!missing.isEmpty()) {
            throw new StackException(
                    "It already runs, with %s, and not with %s. To start it with all of these: %s && %s"
                            .formatted(
                                    String.join(", ", state.rows()),
                                    String.join(", ", missing),
                                    stack.command("down"),
                                    stack.command("up") + selection.option()));
        }
    }

    private void setDistance(Stack stack, Selection selection, int millis) {
        if (distance == null) {
            return;
        }
        if (stack.setDistance(millis)) {
            terminal.line("The distance is now %d ms.".formatted(millis));
        } else if (millis > 0) {
            throw new StackException(
                    "It already runs, without a network between its processes. To start it with one: %s && %s --distance %dms"
                            .formatted(stack.command("down"), stack.command("up") + selection.option(), millis));
        }
    }

    private void printAddresses(List<Part> aggregators, Stack stack) {
        int port = aggregators.get(0).port();
        String base = "http://localhost:" + port;
        List<String> rows = stack.state().rows();
        terminal.line("");
        terminal.line("  %-44s %s".formatted(base + "/", "the live page, to look at"));
        if (!stack.state().controlToken().isEmpty()) {
            terminal.line("  the same, with load and faults, for you alone:");
            // The address is not localhost: on ::1 another program may listen, and it would get the token.
            terminal.line("  http://127.0.0.1:%d/#control=%d,%s"
                    .formatted(port, Control.port(stack), stack.state().controlToken()));
        }
        terminal.line("  %-44s %s".formatted(base + "/transports", "what is here, and whether it is up"));
        for (int i = 1; i < aggregators.size(); i++) {
            terminal.line("  %-44s %s"
                    .formatted("http://localhost:" + aggregators.get(i).port() + "/", "one more aggregator"));
        }
        for (String row : rows) {
            terminal.line("  %-44s %s".formatted(base + "/" + row + "/square/unary/5", "5 calls over " + row));
        }
        terminal.line("  logs: " + stack.logs());
        terminal.line("");
        terminal.line("Try: curl %s/%s/square/unary/5".formatted(base, rows.get(0)));
    }
}
