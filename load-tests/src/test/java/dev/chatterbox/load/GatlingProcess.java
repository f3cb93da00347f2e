package dev.chatterbox.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts Gatling as ./chatterbox compare does: from the packaged jar and its class path. */
final class GatlingProcess implements AutoCloseable {

    private static final long TIMEOUT_SECONDS = 120;

    /** @param output standard output and error */
    record Finished(int exitCode, String output) {}

    private final Process process;
    private final Path output;

    private GatlingProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static Finished run(Class<?> simulation, Path results, Map<String, String> properties) throws Exception {
        return start(simulation, results, properties, Map.of()).await();
    }

    static GatlingProcess start(
            Class<?> simulation, Path results, Map<String, String> properties, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + Path.of("jvm.args").toAbsolutePath());
        command.add("-Dgatling.resultsFolder=" + results);
        properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(List.of("-cp", jar() + System.getProperty("path.separator") + Path.of("target", "lib", "*")));
        command.addAll(List.of("io.gatling.app.Gatling", "-s", simulation.getName(), "-rf", results.toString()));

        Path output = Files.createTempFile(results, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        return new GatlingProcess(builder.start(), output);
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Finished await() throws Exception {
        try (this) {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("Gatling does not end:\n" + output());
            }
            return new Finished(process.exitValue(), output());
        }
    }

    /** Processor time that it has used until now. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private static Path jar() {
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            return files.filter(file -> file.getFileName().toString().matches("load-tests-.*\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("run mvn package first"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
