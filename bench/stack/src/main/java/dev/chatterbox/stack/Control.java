package dev.chatterbox.stack;

import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.programs.Cache;
import dev.chatterbox.variants.ResponderProgram;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The service by which the live page rules a running stack. It is this program, started with another command.
 *
 * @param main the class with the main method, which takes the arguments {@code control --port-offset N}
 */
public record Control(Class<?> main) {

    /** The name of the process, and also of the command. */
    public static final String NAME = "control";

    /** The path that answers without a token. */
    public static final String HEALTH = "/health";

    private static final int PORT = 8079;

    /** The port of the service in a stack. */
    public static int port(Stack stack) {
        return stack.port(PORT);
    }

    /** The port of the aggregator, which serves the live page. */
    public static int pagePort(Stack stack) {
        return stack.port(StackPlan.AGGREGATOR_PORT);
    }

    /** @param collectors the variables that name the collector of traces, for the services that it starts again */
    Part part(Stack stack, Map<String, String> collectors) {
        Path root = stack.repository().root();
        List<String> command = JavaCommand.light(
                "-Xmx96m",
                folder(stack).resolve("*").toString(),
                main,
                List.of(NAME, "--port-offset=" + stack.offset()));
        Map<String, String> environment = new TreeMap<>(collectors);
        environment.put("CHATTERBOX_HOME", root.toString());
        Part.Service service =
                new Part.Service(new Part.Paths(HEALTH, "", ""), environment, new Part.Command(root, command));
        return new Part(NAME, NAME, Map.of(ResponderProgram.HTTP, port(stack)), service);
    }

    /** Copies the jars that the service runs, because a build may replace them meanwhile. */
    static void prepare(Stack stack) {
        try {
            // An earlier build may have left other versions of a jar.
            Cache.delete(folder(stack));
            Path folder = Files.createDirectories(folder(stack));
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                Path jar = Path.of(entry);
                Files.copy(jar, folder.resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path folder(Stack stack) {
        return stack.directory().resolve(NAME);
    }
}
