package dev.chatterbox.stack;

import dev.chatterbox.testbed.Target;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.programs.PythonEnvironment;
import dev.chatterbox.rows.ResponderProgram;
import dev.chatterbox.rows.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How the programs of a row's one-way messages are started: {@code produce}, and {@code consume} in Java or Python. */
final class QueuePrograms {

    private static final String PACKAGE = "dev.chatterbox.clients.";

    private QueuePrograms() {}

    /**
     * @param environment the variables by which clients find the brokers
     * @return empty if the row has no such messages, or if the programs are not built
     */
    static Optional<Target.Queue> of(Repository repository, Row row, Map<String, String> environment) {
        return row.queue()
                .flatMap(queue -> repository.rawClients().map(classPath -> {
                    List<String> arguments = new ArrayList<>(List.of("--type=" + queue.type(), name(row)));
                    Map<String, String> settings = new TreeMap<>(row.clientSettings());
                    settings.putAll(queue.settings());
                    settings.forEach((key, value) -> arguments.add("--client.%s=%s".formatted(key, value)));
                    return new Target.Queue(
                            java(classPath, "Produce", arguments, environment),
                            queue.python()
                                    .map(module -> python(repository, row, module, environment))
                                    .orElseGet(() -> java(classPath, "Consume", arguments, environment)));
                }));
    }

    private static String name(Row row) {
        return "--queue=%s.messages".formatted(row.name());
    }

    private static Target.Program java(
            String classPath, String main, List<String> arguments, Map<String, String> environment) {
        List<String> command = new ArrayList<>(List.of("-Xmx512m", "-XX:+UseG1GC", "-cp", classPath, PACKAGE + main));
        command.addAll(arguments);
        return new Target.Program(JavaCommand.of(command), environment);
    }

    private static Target.Program python(
            Repository repository, Row row, String module, Map<String, String> environment) {
        ResponderProgram program = repository.program(row.responder().orElseThrow());
        Map<String, String> all = new TreeMap<>(environment);
        all.putAll(program.pythonPath());
        String interpreter = PythonEnvironment.of(program.folder()).obtain().toString();
        return new Target.Program(List.of(interpreter, "-m", module, "--transport=" + row.transport(), name(row)), all);
    }
}
