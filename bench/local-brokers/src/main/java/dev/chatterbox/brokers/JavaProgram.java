package dev.chatterbox.brokers;

import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.ProcessException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A broker that is a Java program. Its jars are in Maven's local repository, where the build put them together with a
 * list of them beside the main class.
 *
 * @param title for people
 * @param list the name of the list
 * @param main the main class
 */
record JavaProgram(String title, String list, Class<?> main) {

    String origin() {
        return "%s, %d jars from Maven's local repository".formatted(title, jars().size());
    }

    /** @throws ProcessException the build has not put them there, or they are gone */
    List<Path> jars() {
        try (InputStream file = main.getResourceAsStream(list)) {
            if (file == null) {
                throw new ProcessException(
                        "The list of %s's jars is missing: build local-brokers with Maven, not the IDE alone."
                                .formatted(title));
            }
            List<Path> jars = new ArrayList<>();
            for (String jar : new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .strip()
                    .split(File.pathSeparator)) {
                jars.add(Path.of(jar));
                if (!Files.isReadable(Path.of(jar))) {
                    throw new ProcessException("%s's jar %s is gone: build local-brokers again.".formatted(title, jar));
                }
            }
            return jars;
        } catch (IOException e) {
            throw new ProcessException("The list of %s's jars cannot be read: %s".formatted(title, e.getMessage()), e);
        }
    }

    /** The main class's own place, and the jars. */
    List<Path> classPath() {
        List<Path> classPath = new ArrayList<>(List.of(ownLocation()));
        classPath.addAll(jars());
        return classPath;
    }

    /** The command that runs it with these flags and arguments. */
    List<String> command(List<String> flags, List<String> arguments) {
        return command(flags, classPath(), main.getName(), arguments);
    }

    /** The command that runs the main class of that name from a class path, with these flags and arguments. */
    static List<String> command(List<String> flags, List<Path> classPath, String main, List<String> arguments) {
        List<String> command = new ArrayList<>(flags);
        command.add("-cp");
        command.add(classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        command.add(main);
        command.addAll(arguments);
        return JavaCommand.of(command);
    }

    private Path ownLocation() {
        try {
            return Path.of(
                    main.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
