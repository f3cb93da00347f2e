package dev.chatterbox.stack;

import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.programs.PythonEnvironment;
import dev.chatterbox.variants.ResponderProgram;
import dev.chatterbox.variants.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How the programs of {@code bench/clients} are started for a variant.
 *
 * @param environment the variables by which clients find the brokers and responders
 */
public record ClientPrograms(Repository repository, Variant variant, Map<String, String> environment) {

    private static final String PACKAGE = "dev.chatterbox.clients.";

    /** The programs of the variant's one-way messages; empty if it has no such messages, or if they are not built. */
    public Optional<Target.Queue> queue() {
        return variant.queue().flatMap(queue -> {
            List<String> arguments = new ArrayList<>(List.of("--type=" + queue.type(), queueName()));
            Map<String, String> settings = new TreeMap<>(variant.client().settings());
            settings.putAll(queue.settings());
            settings.forEach((key, value) -> arguments.add("--client.%s=%s".formatted(key, value)));
            return java(PACKAGE + "Produce", arguments)
                    .flatMap(produce -> queue.python()
                            .map(this::python)
                            .or(() -> java(PACKAGE + "Consume", arguments))
                            .map(consume -> new Target.Queue(produce, consume)));
        });
    }

    /** The variant's bare client; empty if it has none, or if it is not built. */
    Optional<Target.Program> bare() {
        List<String> arguments = new ArrayList<>();
        variant.address().forEach((part, value) -> arguments.add("--address.%s=%s".formatted(part, value)));
        return variant.client().bare().flatMap(main -> java(main, arguments));
    }

    private String queueName() {
        return "--queue=%s.messages".formatted(variant.name());
    }

    private Optional<Target.Program> java(String main, List<String> arguments) {
        return repository.rawClients().map(classPath -> {
            List<String> command =
                    new ArrayList<>(List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError"));
            command.addAll(List.of("-cp", classPath, main));
            command.addAll(arguments);
            return new Target.Program(JavaCommand.of(command), environment);
        });
    }

    private Target.Program python(String module) {
        ResponderProgram program = repository.program(variant.responder().orElseThrow());
        Map<String, String> all = new TreeMap<>(environment);
        all.putAll(program.pythonPath());
        String interpreter = PythonEnvironment.of(program.folder()).obtain().toString();
        return new Target.Program(
                List.of(interpreter, "-m", module, "--transport=" + variant.transport(), queueName()), all);
    }
}
