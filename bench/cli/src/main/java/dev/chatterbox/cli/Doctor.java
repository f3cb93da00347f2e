package dev.chatterbox.cli;

import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.Limits;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.stack.Part;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Selection;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.StackPlan;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "doctor",
        description =
                "Show what this machine has and lacks, and how to get it. Exit code 1 if something required is missing.")
final class Doctor extends CheckoutCommand {

    /** In bytes: the jars, the logs, and what Kafka keeps until its retention deletes it. */
    private static final long NEEDED_DISK = 2L << 30;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private boolean healthy = true;

    @Mixin
    private final TransportsOption transports = new TransportsOption();

    Doctor(Repository repository, Terminal terminal) {
        super(repository, terminal);
    }

    @Override
    public Integer call() {
        Variants variants = repository.variants();
        Stack stack = repository.stack(0);
        StackPlan plan = StackPlan.of(stack, Selection.of(variants, transports.names));
        StackPlan all = StackPlan.of(stack, Selection.of(variants, variants.names()));
        requirement(
                ToolProvider.getSystemJavaCompiler() != null,
                "JDK",
                "%s, %s".formatted(Runtime.version(), System.getProperty("java.home")),
                "has no compiler: install a JDK 17 or newer (https://adoptium.net), set JAVA_HOME");
        option(
                "Maven",
                "builds a checkout; 3.8.7 or newer (https://maven.apache.org)",
                "mvn",
                "--batch-mode",
                "--version");
        // The nodes of a cluster are one program, which is also the single broker's.
        Map<String, List<Part>> programs = Stream.of(plan, all)
                .flatMap(planned -> planned.parts().stream())
                .filter(part -> !part.runsOn().isEmpty())
                .collect(Collectors.groupingBy(Part::runsOn, LinkedHashMap::new, Collectors.toList()));
        programs.forEach((name, parts) ->
                program(name, "its own variants", parts.stream().anyMatch(plan::requires), parts.get(0)::origin));
        program("Toxiproxy", "--distance", false, Toxiproxy.program()::origin);
        option("Go", "builds nats-server and Toxiproxy where they are missing (https://go.dev/dl)", "go", "version");
        option("Docker", "for compose/ only", "docker", "--version");
        int processors = Runtime.getRuntime().availableProcessors();
        String shared = processors > 3 ? "" : "; everything shares them, so expect low and noisy numbers";
        option(processors > 1, "processors", processors + shared);
        long disk = repository.root().toFile().getUsableSpace();
        requirement(
                disk >= NEEDED_DISK, "disk", Numbers.bytes(disk) + " free", Numbers.bytes(NEEDED_DISK) + " are needed");
        Limits.lacks().forEach(lack -> requirement(false, "limits", "", lack));
        if (!Limits.runsFromTemporaryFolder()) {
            option(
                    false,
                    "temporary",
                    "no library can be loaded from %s: Netty uses NIO instead of epoll, as results say, and Pulsar's broker does not start"
                            .formatted(System.getProperty("java.io.tmpdir")));
        }
        Path home = Path.of(System.getProperty("user.home"));
        if (!Files.isWritable(home)) {
            option(
                    false,
                    "home",
                    "%s cannot be written: set HOME, so that Maven and downloads have a place".formatted(home));
        }
        if (stack.members().stream().anyMatch(member -> stack.process(member).isPresent())) {
            option(true, "running", "'./chatterbox status' shows what");
        } else {
            memory(plan);
            ports(plan);
        }
        return healthy ? ExitCode.OK : ExitCode.FAILED;
    }

    /**
     * Shows a program, or how to get the program if it is missing.
     *
     * @param required false if the program is not needed, or if its variants are left out without it
     * @param origin says where the program comes from
     */
    private void program(String name, String use, boolean required, Supplier<String> origin) {
        try {
            option(true, name, origin.get());
        } catch (ProcessException e) {
            if (required) {
                requirement(false, name, "", String.valueOf(e.getMessage()));
            } else {
                option(false, name, "optional, for %s. %s".formatted(use, e.getMessage()));
            }
        }
    }

    private void option(String what, String use, String... command) {
        try {
            String output = dev.chatterbox.processes.Command.run(PATIENCE, List.of(command));
            // Maven's first line has a code for colours, and a JVM says first which variables it has read.
            String plain = output.replaceAll("\\e\\[[0-9;]*m|Picked up .*\\R", "");
            option(true, what, plain.lines().findFirst().orElse(""));
        } catch (IOException e) {
            option(false, what, "not found; optional, " + use);
        }
    }

    private void memory(StackPlan plan) {
        long available = ProcessMemory.available().orElse(0L);
        long needed = plan.neededMemory();
        String alone = plan.variants().stream()
                .map(variant -> variant.name() + " "
                        + Numbers.bytes(alone(plan, variant).neededMemory()))
                .collect(Collectors.joining(", "));
        requirement(
                available >= needed,
                "memory",
                "%s free; these variants need %s; each by itself: %s"
                        .formatted(Numbers.bytes(available), Numbers.bytes(needed), alone),
                "choose fewer with --transports, or end other programs");
    }

    private StackPlan alone(StackPlan plan, Variant variant) {
        return StackPlan.of(plan.stack(), Selection.of(repository.variants(), List.of(variant.name())));
    }

    private void ports(StackPlan plan) {
        boolean free = true;
        for (Map.Entry<Integer, String> use : plan.ports()) {
            Optional<String> owner = Ports.owner(use.getKey());
            owner.ifPresent(pid -> requirement(false, "port " + use.getKey(), use.getValue(), "is taken by " + pid));
            free &= owner.isEmpty();
        }
        requirement(free, "ports", free ? "all free" : "", "free them, or use ./chatterbox up --port-offset 1000");
    }

    /** Shows something that is required, and what helps if it is missing. */
    private void requirement(boolean good, String what, String found, String cure) {
        healthy &= good;
        String lacks = found.isEmpty() ? cure : found + ": " + cure;
        show(good ? terminal.green("✓") : terminal.red("✗"), what, good ? found : lacks);
    }

    /** Shows something that is useful but not required. */
    private void option(boolean here, String what, String text) {
        show(here ? terminal.green("✓") : "–", what, text);
    }

    private void show(String mark, String what, String text) {
        terminal.line("%s %-11s %s".formatted(mark, what, text));
    }
}
