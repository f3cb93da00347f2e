package dev.chatterbox.cli;

import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.stack.Part;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Selection;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.StackPlan;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "doctor",
        description =
                "Show what this machine has and lacks, and how to get it. Exit code 1 if something required is missing.")
final class Doctor implements Callable<Integer> {

    /** In bytes: the jars, the logs, and what Kafka keeps until its retention deletes it. */
    private static final long NEEDED_DISK = 2L << 30;

    private static final String OWN_ROWS = "for its own rows";

    private final Repository repository;
    private final Terminal terminal;
    private boolean healthy = true;

    @Mixin
    private final TransportsOption transports = new TransportsOption();

    Doctor(Repository repository, Terminal terminal) {
        this.repository = repository;
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Selection selection = Selection.of(repository.rows(), transports.names);
        Stack stack = repository.stack(0);
        StackPlan plan = StackPlan.of(stack, selection);
        java();
        maven();
        Rows rows = repository.rows();
        StackPlan all = StackPlan.of(stack, Selection.of(rows, rows.names()));
        // The nodes of a cluster are one program, which is also the single broker's.
        Map<String, List<Part>> programs = Stream.of(plan, all)
                .flatMap(planned -> planned.parts().stream())
                .filter(part -> !part.runsOn().isEmpty())
                .collect(Collectors.groupingBy(Part::runsOn, LinkedHashMap::new, Collectors.toList()));
        programs.forEach((name, parts) ->
                program(name, OWN_ROWS, parts.stream().anyMatch(plan::requires), parts.get(0)::origin));
        program("Toxiproxy", "for --distance", false, Toxiproxy.program()::origin);
        optional("Go", "builds nats-server and Toxiproxy where they are missing (https://go.dev/dl)", "go", "version");
        optional("Docker", "for compose/ only", "docker", "--version");
        processors();
        disk();
        if (stack.members().stream().anyMatch(member -> stack.process(member).isPresent())) {
            report(true, "running", "./chatterbox status shows it", "");
        } else {
            memory(plan);
            ports(plan);
        }
        return healthy ? ExitCode.OK : ExitCode.FAILED;
    }

    private void java() {
        String found = "%s, %s".formatted(Runtime.version(), System.getProperty("java.home"));
        report(
                ToolProvider.getSystemJavaCompiler() != null,
                "JDK",
                found,
                "has no compiler: install a JDK 17 or newer (https://adoptium.net), set JAVA_HOME");
    }

    private void maven() {
        String found = output("mvn", "--version")
                .map(Pattern.compile("Apache Maven (\\d+\\.\\d+\\.\\d+)")::matcher)
                .filter(Matcher::find)
                .map(version -> version.group(1))
                .orElse("not on the PATH");
        report(
                isMaven387(found),
                "Maven",
                found,
                "Chatterbox is built with 3.8.7 or newer: https://maven.apache.org, or your package manager");
    }

    static boolean isMaven387(String version) {
        return version.matches("\\d.*") && Version.parse(version).compareTo(Version.parse("3.8.7")) >= 0;
    }

    /**
     * Shows a program, or how to get the program if it is missing.
     *
     * @param use what the program is used for
     * @param required false if the program is not needed, or if its rows are left out without it
     * @param origin says where the program comes from
     */
    private void program(String name, String use, boolean required, Supplier<String> origin) {
        try {
            report(true, name, origin.get(), "");
        } catch (ProcessException e) {
            if (required) {
                report(false, name, "", String.valueOf(e.getMessage()));
            } else {
                line(false, name, "optional, %s. %s".formatted(use, e.getMessage()));
            }
        }
    }

    private void optional(String what, String use, String... command) {
        Optional<String> found =
                output(command).flatMap(output -> output.lines().findFirst());
        line(found.isPresent(), what, found.orElse("not here; optional, " + use));
    }

    private void processors() {
        int processors = Runtime.getRuntime().availableProcessors();
        String shared = processors > 3 ? "" : "; everything shares them, so expect low and noisy numbers";
        line(processors > 1, "processors", processors + shared);
    }

    private void memory(StackPlan plan) {
        long available = ProcessMemory.available().orElse(0L);
        long needed = plan.neededMemory();
        String alone = plan.rows().stream()
                .map(row ->
                        "%s %s".formatted(row.name(), gigabytes(alone(plan, row).neededMemory())))
                .collect(Collectors.joining(", "));
        report(
                available >= needed,
                "memory",
                "%s, of which these rows need %s; alone: %s".formatted(gigabytes(available), gigabytes(needed), alone),
                "choose fewer with --transports, or end other programs");
    }

    private StackPlan alone(StackPlan plan, Row row) {
        return StackPlan.of(plan.stack(), Selection.of(repository.rows(), List.of(row.name())));
    }

    private void disk() {
        long usable = repository.root().toFile().getUsableSpace();
        report(usable >= NEEDED_DISK, "disk", gigabytes(usable) + " free", gigabytes(NEEDED_DISK) + " are needed");
    }

    private void ports(StackPlan plan) {
        boolean free = true;
        for (Map.Entry<Integer, String> use : plan.ports()) {
            Optional<String> owner = Ports.owner(use.getKey());
            owner.ifPresent(pid -> report(false, "port " + use.getKey(), use.getValue(), "is taken by " + pid));
            free &= owner.isEmpty();
        }
        report(free, "ports", free ? "all free" : "", "free them, or use ./chatterbox up --port-offset 1000");
    }

    /** Shows something that is required. */
    private void report(boolean good, String what, String found, String cure) {
        if (good) {
            line(true, what, found);
        } else {
            healthy = false;
            show(terminal.red("✗"), what, found.isEmpty() ? cure : found + ": " + cure);
        }
    }

    /** Shows something that is useful but not required. */
    private void line(boolean here, String what, String text) {
        show(here ? terminal.green("✓") : "–", what, text);
    }

    private void show(String mark, String what, String text) {
        terminal.line("%s %-11s %s".formatted(mark, what, text));
    }

    private static String gigabytes(long bytes) {
        return "%.1f GB".formatted(bytes / 1e9);
    }

    /** What a program prints; empty if it is not here or fails. */
    private static Optional<String> output(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? Optional.of(output) : Optional.empty();
        } catch (IOException notHere) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
