package dev.chatterbox.stack;

import dev.chatterbox.processes.JavaCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How the services of a stack are started.
 *
 * @param folder where Java services run
 * @param jars that Java services run, by the name of the service
 * @param faultsToken opens the responders' {@code /faults}
 */
record ServiceCommand(Path folder, Map<String, Path> jars, String faultsToken) {

    /**
     * The command of a service, with a mark that tells its process from every other one, whatever its program is
     * called.
     *
     * @param flags for the JVM of a Java service, besides its own
     */
    ProcessBuilder of(Service service, List<String> flags) {
        String mark = "chatterbox.process=" + service.name();
        List<String> command = new ArrayList<>();
        Path in = folder;
        if (service.start() instanceof Service.Start.Jar jar) {
            List<String> java = new ArrayList<>(flags);
            // Java would choose the serial collector on a small machine.
            java.addAll(List.of("-Xms%dm".formatted(jar.heap()), "-Xmx%dm".formatted(jar.heap()), "-XX:+UseG1GC"));
            Path file = Objects.requireNonNull(jars.get(service.name()), service.name());
            java.addAll(List.of("-D" + mark, "-jar", file.toString()));
            command.addAll(JavaCommand.of(java));
        } else if (service.start() instanceof Service.Start.Python python) {
            command.addAll(python.program().pythonCommand(python.environment().obtain()));
            command.add("--" + mark);
            in = python.program().folder();
        } else if (service.start() instanceof Service.Start.Command other) {
            command.addAll(other.command());
            command.add("--" + mark);
            in = other.folder();
        }
        command.addAll(service.arguments());
        ProcessBuilder builder = new ProcessBuilder(command).directory(in.toFile());
        builder.environment().putAll(service.environment());
        builder.environment().put("SERVER_ADDRESS", "127.0.0.1");
        builder.environment().put("CHATTERBOX_FAULTS_TOKEN", faultsToken);
        return builder;
    }
}
