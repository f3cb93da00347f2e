package dev.chatterbox.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Gatling as ./chatterbox compare starts it: from the packaged jar and its class path. */
final class GatlingProcess {

    private static final long TIMEOUT_SECONDS = 120;

    /** @param output standard output and error */
    record Finished(int exitCode, String output) {}

    private GatlingProcess() {}

    static Finished run(Class<?> simulation, Path results, Map<String, String> properties) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + Path.of("jvm.args").toAbsolutePath());
        command.add("-Dgatling.resultsFolder=" + results);
        properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(List.of("-cp", jar() + System.getProperty("path.separator") + Path.of("target", "lib", "*")));
        command.addAll(List.of("io.gatling.app.Gatling", "-s", simulation.getName(), "-rf", results.toString()));

        Path output = Files.createTempFile(results, "output", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("Gatling does not end:\n" + Files.readString(output));
            }
            return new Finished(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
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
