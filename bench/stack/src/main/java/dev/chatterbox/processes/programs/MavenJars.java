package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.ProcessException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The jars of a Java program that is too large for every build to fetch. Maven fetches them into its local repository
 * when they are first needed; a pom.xml describes what to fetch. The cache has a list of the jars for each description.
 *
 * @param title the program's name with its version, for people
 * @param description a pom.xml with the program as a dependency, and with a version of the dependency plugin
 * @param megabytes the approximate size of the download
 * @param platform the machine on which it is looked for
 */
public record MavenJars(String title, String description, int megabytes, Platform platform) {

    /** The goal takes its version, and so the plugin's version, from the description. */
    private static final String GOAL = "dependency:build-classpath";

    private static final String ERROR = "[ERROR] ";
    private static final String LIST = "class-path";

    /** The line may be slow. */
    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    private static final Program MAVEN = Program.of(
            "mvn",
            "MAVEN_BIN",
            "Maven 3.8.7 or newer, which builds Chatterbox too: https://maven.apache.org/download.cgi",
            Program.PATH);

    /**
     * One line for people: how many jars there are, or how they will be fetched.
     *
     * @throws ProcessException the jars are not here, and neither is Maven; the message says how to get Maven
     */
    public String origin() {
        Optional<List<Path>> jars = present();
        if (jars.isPresent()) {
            return "%s, %d jars from Maven's local repository"
                    .formatted(title, jars.get().size());
        }
        MAVEN.on(platform).obtain();
        return "%s, fetched by Maven (%d MB, once)".formatted(title, megabytes);
    }

    /**
     * Fetches the jars if they are not here yet; that may take minutes the first time. Two processes may do so at once.
     *
     * @return the jars
     * @throws ProcessException the jars could not be fetched; the message is one line
     */
    public List<Path> obtain() {
        return present().orElseGet(this::fetch);
    }

    private List<Path> fetch() {
        String program = MAVEN.on(platform).obtain().toString();
        try {
            Cache.fill(list(), LIST, folder -> {
                Path pom = Files.writeString(folder.resolve("pom.xml"), description);
                Command.run(
                        TIMEOUT,
                        List.of(
                                program,
                                "--batch-mode",
                                "--quiet",
                                "--file",
                                pom.toString(),
                                GOAL,
                                "-Dmdep.outputFile=" + folder.resolve(LIST)));
            });
        } catch (IOException e) {
            // Of the lines with an error, the first one says what is wrong.
            String message = String.valueOf(e.getMessage());
            String line = message.lines()
                    .filter(text -> text.contains(ERROR))
                    .findFirst()
                    .orElse(message);
            throw new ProcessException(
                    "%s could not be fetched by Maven (%d MB): %s"
                            .formatted(title, megabytes, line.replace(ERROR, "").strip()),
                    e);
        }
        return present()
                .orElseThrow(() -> new ProcessException(
                        "%s could not be fetched by Maven: it lists jars that are not there.".formatted(title)));
    }

    /** The jars of the list, if all of them still exist. */
    private Optional<List<Path>> present() {
        try {
            List<Path> jars = Stream.of(Files.readString(list()).strip().split(File.pathSeparator))
                    .map(Path::of)
                    .toList();
            return jars.stream().allMatch(Files::isReadable) ? Optional.of(jars) : Optional.empty();
        } catch (IOException notYet) {
            return Optional.empty();
        }
    }

    private Path list() {
        return platform.cache().resolve(Cache.version("jars", description) + ".txt");
    }
}
