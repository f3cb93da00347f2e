package dev.chatterbox.cli;

import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.Ports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "up", description = "Build what is stale, start everything and leave it running.")
final class Up implements Callable<Integer> {

    private final Repository repository;
    private final Terminal terminal;

    @Mixin
    private final PortOffset offset = new PortOffset();

    Up(Repository repository, Terminal terminal) {
        this.repository = repository;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        Stack stack = repository.stack(offset.value);
        Plan plan = Plan.of(repository, stack);
        try (Stack.Lock lock = stack.lock()) {
            if (runs(stack)) {
                terminal.line("It already runs. To stop it: " + stack.command("down"));
            } else {
                long start = System.nanoTime();
                requireFree(plan, stack);
                stack.clear();
                for (Plan.PlannedBroker planned : plan.brokers()) {
                    terminal.line("  %s: %s"
                            .formatted(planned.name(), planned.broker().origin()));
                }
                new Startup(repository, plan, stack, terminal, Lifetime.DETACHED).run();
                terminal.line("Everything is up after %.0f s. To stop it: %s"
                        .formatted((System.nanoTime() - start) / 1e9, stack.command("down")));
            }
            printAddresses(plan, stack);
            return ExitCode.OK;
        }
    }

    /** False also if all of it has ended. What is half dead is shown and not mended, for its logs tell why. */
    static boolean runs(Stack stack) {
        List<String> troubles = new ArrayList<>();
        boolean alive = false;
        for (Member member : stack.members()) {
            Health health = Health.of(stack, member);
            alive |= health != Health.DEAD;
            if (health != Health.UP) {
                troubles.add(
                        "%s is %s; its log is %s".formatted(member.name(), health.word(), stack.log(member.name())));
            }
        }
        if (alive && !troubles.isEmpty()) {
            throw new CliException("It already runs, but not all of it:%n  %s%nTo start anew: %s && %s"
                    .formatted(String.join("\n  ", troubles), stack.command("down"), stack.command("up")));
        }
        return alive;
    }

    static void requireFree(Plan plan, Stack stack) {
        Map<Integer, String> seen = new HashMap<>();
        List<String> troubles = new ArrayList<>();
        for (Map.Entry<Integer, String> use : plan.ports()) {
            int port = use.getKey();
            String other = seen.put(port, use.getValue());
            if (other != null) {
                troubles.add("%d (%s) is also the port of %s".formatted(port, use.getValue(), other));
            }
            Ports.owner(port)
                    .ifPresent(owner -> troubles.add("%d (%s) is taken by %s".formatted(port, use.getValue(), owner)));
        }
        if (!troubles.isEmpty()) {
            throw new CliException("These ports are not free:%n  %s%nFree them, or move all ports: %s"
                    .formatted(
                            String.join("\n  ", troubles), "./chatterbox up --port-offset " + (stack.offset() + 1000)));
        }
    }

    private void printAddresses(Plan plan, Stack stack) {
        String base = "http://localhost:" + plan.aggregator().port();
        terminal.line("");
        terminal.line("  %-44s %s".formatted(base + "/", "the live page"));
        terminal.line("  %-44s %s".formatted(base + "/transports", "what is here, and whether it is up"));
        for (String transport : plan.transports()) {
            terminal.line(
                    "  %-44s %s".formatted(base + "/" + transport + "/square/unary/5", "5 calls over " + transport));
        }
        terminal.line("  logs: " + stack.logs());
        terminal.line("");
        terminal.line("Try: curl %s/%s/square/unary/5"
                .formatted(base, plan.transports().get(0)));
    }
}
