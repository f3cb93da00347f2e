package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Selection;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.StackPlan;
import dev.chatterbox.variants.Variants;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Runs the packaged program as the script does, each command in a JVM of its own. */
final class Commands {

    private final Repository repository;

    Commands(Repository repository) {
        this.repository = repository;
    }

    record Result(int exitCode, String output) {}

    Result run(String... arguments) {
        return run(Map.of(), arguments);
    }

    Result run(Map<String, String> environment, String... arguments) {
        try {
            Process process = start(environment, arguments);
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Its output and errors come from its input stream. */
    Process start(Map<String, String> environment, String... arguments) throws IOException {
        return builder(environment, arguments).start();
    }

    /** Its output and errors go to a file. */
    Process start(Map<String, String> environment, Path output, String... arguments) throws IOException {
        return builder(environment, arguments).redirectOutput(output.toFile()).start();
    }

    private ProcessBuilder builder(Map<String, String> environment, String... arguments) {
        List<String> java = new ArrayList<>(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                Path.of("target", "cli.jar").toAbsolutePath()
                        + File.pathSeparator
                        + Path.of("target", "lib", "*").toAbsolutePath(),
                Chatterbox.class.getName()));
        java.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(java)).redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().put("CHATTERBOX_HOME", repository.root().toString());
        return builder;
    }

    /** Fails if the services of the checkout are not built: a test must not be skipped for that. */
    static Repository builtCheckout() {
        Repository repository = Repository.of(Map.of(
                "CHATTERBOX_HOME",
                Path.of("..", "..").toAbsolutePath().normalize().toString()));
        assertThat(List.of("aggregator-service/target", "load-tests/target/lib"))
                .as(
                        "the services are not built: run mvn verify for the whole checkout, or mvn -DskipTests package first")
                .allSatisfy(
                        folder -> assertThat(repository.root().resolve(folder)).isDirectory());
        return repository;
    }

    /** An offset that moves every port to a reserved one, below the ports of outgoing connections. */
    int freeOffset() {
        return IntStream.generate(() -> ThreadLocalRandom.current().nextInt(11_000, 22_000))
                .filter(offset -> ports(offset).stream().allMatch(Ports::reserve))
                .findFirst()
                .orElseThrow();
    }

    /** Fails if a process of the stack is left; removes what a stack keeps between runs. */
    void removeStack(int offset) throws IOException {
        assertThat(ports(offset))
                .allSatisfy(port -> assertThat(Ports.owner(port)).isEmpty());
        Stack stack = repository.stack(offset);
        stack.clear();
        Files.deleteIfExists(stack.directory().resolve("lock"));
        Files.deleteIfExists(stack.directory().resolve("processes.lock"));
        Files.deleteIfExists(stack.directory());
    }

    List<Integer> ports(int offset) {
        return StackPlan.of(repository.stack(offset), Selection.of(repository.variants(), List.of(Variants.ALL)))
                .ports()
                .stream()
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The command lines of all processes that this system shows. */
    static List<String> processes() {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .toList();
    }

    /** The command lines of the load generators of a checkout. */
    static List<String> generators(Repository repository) {
        return processes().stream()
                .filter(line -> line.contains("dev.chatterbox.load.ComparisonSimulation")
                        && line.contains(repository.root().resolve("load-tests").toString()))
                .toList();
    }
}
