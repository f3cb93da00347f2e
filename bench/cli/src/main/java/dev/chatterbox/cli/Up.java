package dev.chatterbox.cli;

import dev.chatterbox.processes.ChildEnvironment;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.stack.Control;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Member.Health;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Selection;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.StackPlan;
import dev.chatterbox.stack.StackState;
import dev.chatterbox.stack.Startup;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.workloads.Dimension;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "up",
        description = {
            "Build what has changed, start what the variants need, and leave it running.",
            "If a stack runs already: restart the processes that have ended, and nothing else."
        })
final class Up extends CheckoutCommand {

    private final Map<String, String> environment;

    @Mixin
    private final PortOffset offset = new PortOffset();

    @Mixin
    private final TransportsOption transports = new TransportsOption();

    @Option(
            names = "--replicas",
            paramLabel = "SERVICE=N",
            description = "Start N processes of this service, such as square-service-nats=3. Repeatable.")
    private Map<String, Integer> replicas = Map.of();

    @Option(
            names = "--distance",
            paramLabel = "TIME",
            description = "Add this time, such as 5ms, to each round trip between the processes. Needs Toxiproxy.")
    private @Nullable String distance;

    @Option(
            names = "--traces",
            paramLabel = "SHARE",
            description = "Trace this share of all requests, 0 to 1, to the collector at OTEL_EXPORTER_OTLP_ENDPOINT.")
    private double traces;

    @Option(
            names = "--disks",
            description = "Give each broker its own disk, so that 'fault power-cut' can cut its power. Needs root.")
    private boolean disks;

    Up(Repository repository, Terminal terminal, Map<String, String> environment) {
        super(repository, terminal);
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        Selection selection =
                Selection.of(repository.variants(), transports.names).with(replicas, traces, disks);
        if (traces > 0
                && Selection.COLLECTORS.stream()
                        .allMatch(name -> environment.getOrDefault(name, "").isBlank())) {
            throw new UsageException("--traces: no collector is named. Set %s, such as http://localhost:4318"
                    .formatted(Selection.COLLECTORS.get(0)));
        }
        int millis = distance == null ? 0 : Dimension.DISTANCE.parse(distance);
        CallTimeout.require(millis, CallTimeout.of(environment));
        Stack stack = repository.stack(offset.value());
        // This throws if a port is out of range, or if a responder's file has a mistake.
        StackPlan.of(stack, selection);
        try (Stack.Lock lock = stack.lock();
                Stack.Lock processes = stack.lockProcesses()) {
            List<Member> dead = stack.dead();
            if (dead.isEmpty() && !stack.runs()) {
                Optional<String> lack = disks ? stack.lackForDisks() : Optional.empty();
                if (lack.isPresent()) {
                    terminal.error(lack.get());
                    return ExitCode.NEGATIVE;
                }
                ChildEnvironment.sentences(environment).forEach(terminal::line);
                long start = System.nanoTime();
                OptionalInt network = millis > 0 ? OptionalInt.of(millis) : OptionalInt.empty();
                Startup.detached(stack, selection, network, Chatterbox.CONTROL, terminal);
                terminal.line("Everything is up after %.0f s. To stop it: %s"
                        .formatted((System.nanoTime() - start) / 1e9, stack.command("down")));
            } else {
                requireSame(stack, selection);
                if (!dead.isEmpty()) {
                    restart(stack, dead);
                }
                setDistance(stack, selection, millis);
                if (dead.isEmpty()) {
                    terminal.line("Already running. To stop it: " + stack.command("down"));
                }
            }
            printAddresses(stack);
            return ExitCode.OK;
        }
    }

    private void restart(Stack stack, List<Member> dead) {
        terminal.line("Already running, but not all of it. Restarting: %s.".formatted(Member.names(dead)));
        String healed = Startup.heal(stack, dead, Chatterbox.CONTROL, Lifetime.DETACHED, terminal);
        terminal.line("%s To stop it all: %s".formatted(healed, stack.command("down")));
        for (Member member : stack.members()) {
            if (Health.of(stack, member) == Health.FROZEN) {
                terminal.line("%s is frozen. To let it go on: %s"
                        .formatted(member.name(), stack.command("fault resume " + member.name())));
            }
        }
    }

    /** A person who names no variants means the variants that run. */
    private static void requireSame(Stack stack, Selection selection) {
        StackState state = stack.state();
        String asked = selection.option();
        selection.replicas().forEach((service, number) -> {
            int there = state.replicas().getOrDefault(service, 1);
            if (number != there) {
                throw stack.refusal("with --replicas %s=%d".formatted(service, there), asked);
            }
        });
        if (selection.traces() > 0 && selection.traces() != state.traces()) {
            throw stack.refusal("with --traces " + state.traces(), asked);
        }
        if (selection.disks()
                && stack.members().stream()
                        .noneMatch(member -> stack.disk(member).isPresent())) {
            throw stack.refusal("without --disks", asked);
        }
        List<String> missing = selection.names().stream()
                .filter(variant ->
                        !state.variants().contains(variant) && !state.disabled().containsKey(variant))
                .toList();
        if (!selection.chosen().isEmpty() && !missing.isEmpty()) {
            throw stack.lacks(missing, asked);
        }
    }

    private void setDistance(Stack stack, Selection selection, int millis) {
        if (distance != null && stack.setDistance(millis)) {
            terminal.line("The added latency is now %d ms.".formatted(millis));
        } else if (millis > 0) {
            throw stack.withoutNetwork(selection, millis);
        }
    }

    private void printAddresses(Stack stack) {
        List<Member> aggregators = stack.members().stream()
                .filter(member -> member.name().startsWith(Repository.AGGREGATOR))
                .toList();
        int port = aggregators.get(0).port();
        String base = "http://localhost:" + port;
        StackState state = stack.state();
        terminal.line("");
        print(base + "/", "the live page, to look at");
        if (!state.controlToken().isEmpty()) {
            terminal.line("  the same, with load and faults, only for you:");
            // The address is not localhost: on ::1 another program may listen, and it would get the token.
            terminal.line(
                    "  http://127.0.0.1:%d/#control=%d,%s".formatted(port, Control.port(stack), state.controlToken()));
        }
        print(base + "/transports", "what is here, and whether it is up");
        aggregators.stream()
                .skip(1)
                .forEach(further -> print("http://localhost:" + further.port() + "/", "one more aggregator"));
        state.variants().forEach(variant -> print(base + "/" + variant + "/square/unary/5", "5 calls over " + variant));
        terminal.line("  logs: " + stack.logs());
        terminal.line("");
        terminal.line("Try: curl %s/%s/square/unary/5"
                .formatted(base, state.variants().get(0)));
    }

    private void print(String address, String what) {
        terminal.line("  %-44s %s".formatted(address, what));
    }
}
