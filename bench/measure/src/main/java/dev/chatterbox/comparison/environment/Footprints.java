package dev.chatterbox.comparison.environment;

import dev.chatterbox.processes.Proc;
import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.stack.Target;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the brokers of a running system take, on the disk and in memory. */
final class Footprints {

    /** The server's own variable for the folder in which it is installed. */
    private static final String RABBITMQ_HOME = "RABBITMQ_HOME";

    private Footprints() {}

    static Map<String, Map<String, Long>> of(Target target) {
        Map<String, Map<String, Long>> found = new TreeMap<>();
        target.variants().stream()
                .flatMap(variant -> variant.brokers().stream())
                .forEach(broker -> found.computeIfAbsent(broker.name(), name -> of(broker.pid())));
        return found;
    }

    private static Map<String, Long> of(long pid) {
        Map<String, Long> found = new LinkedHashMap<>();
        ProcessHandle.of(pid)
                .flatMap(process -> process.info().startInstant())
                .ifPresent(start -> found.put(
                        "ageSeconds", Duration.between(start, Instant.now()).toSeconds()));
        ProcessMemory.resident(pid).ifPresent(bytes -> found.put("idleBytes", bytes));
        ProcessMemory.proportional(pid).ifPresent(bytes -> found.put("idleProportionalBytes", bytes));
        installed(pid).ifPresent(bytes -> found.put("installedBytes", bytes));
        return found;
    }

    /**
     * A Java program is its class path, RabbitMQ is the folder that it was unpacked to, any other is its executable.
     */
    private static Optional<Long> installed(long pid) {
        List<String> arguments = Proc.arguments(pid);
        int classPath = arguments.indexOf("-cp") + 1;
        String other = Proc.variable(pid, RABBITMQ_HOME).orElse("/proc/%d/exe".formatted(pid));
        try {
            return Optional.of(size((classPath > 0 ? arguments.get(classPath) : other).split(File.pathSeparator)));
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    private static long size(String... all) throws IOException {
        long bytes = 0;
        for (String path : all) {
            try (Stream<Path> files = Files.walk(Path.of(path).toRealPath())) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    bytes += Files.size(file);
                }
            }
        }
        return bytes;
    }
}
