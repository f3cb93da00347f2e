package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.ProcessException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final String LIST = "class-path";

    /** The number of lines about progress. */
    private static final int STEPS = 5;

    /** A finished download: {@code [INFO] Downloaded from central: https://…/a.jar (1.2 MB at 3.4 MB/s)}. */
    private static final Pattern DOWNLOADED = Pattern.compile(".*Downloaded from .*\\(([0-9.]+) ([kM]?)B at .*");

    private static final String FAILED = "[ERROR] ";

    private static final Program MAVEN = new Program(
            "mvn",
            ProgramSource.variable("MAVEN_BIN"),
            ProgramSource.path(
                    "Maven 3.8.7 or newer, which builds Chatterbox too: https://maven.apache.org/download.cgi"));

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
     * @param progress takes a line for people now and then that says how much was fetched, on this thread
     * @return the jars
     * @throws ProcessException the jars could not be fetched; the message is one line
     */
    public List<Path> obtain(Consumer<String> progress) {
        return present().orElseGet(() -> fetch(progress));
    }

    private List<Path> fetch(Consumer<String> progress) {
        String program = MAVEN.on(platform).obtain().toString();
        try {
            Cache.fill(list(), LIST, folder -> {
                Path pom = Files.writeString(folder.resolve("pom.xml"), description);
                run(
                        progress,
                        program,
                        "--batch-mode",
                        "--file",
                        pom.toString(),
                        GOAL,
                        "-Dmdep.outputFile=" + folder.resolve(LIST));
            });
        } catch (IOException e) {
            throw new ProcessException(
                    "%s could not be fetched by Maven (%d MB): %s".formatted(title, megabytes, e.getMessage()), e);
        }
        return present()
                .orElseThrow(() -> new ProcessException(
                        "%s could not be fetched by Maven: it lists jars that are not there.".formatted(title)));
    }

    private void run(Consumer<String> progress, String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        Optional<String> error = Optional.empty();
        double fetched = 0;
        double shown = 0;
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line; (line = output.readLine()) != null; ) {
                fetched += megabytes(line);
                if (fetched - shown >= (double) megabytes / STEPS) {
                    shown = fetched;
                    progress.accept("%.0f of about %d MB are here".formatted(fetched, megabytes));
                }
                if (line.startsWith(FAILED) && error.isEmpty()) {
                    error = Optional.of(line.substring(FAILED.length()));
                }
            }
            int exit = process.waitFor();
            if (exit != 0) {
                throw new IOException(error.orElse("mvn ended with " + exit));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroy();
        }
    }

    /** The size of the download that a line of Maven's output reports. */
    private static double megabytes(String line) {
        Matcher downloaded = DOWNLOADED.matcher(line);
        if (!downloaded.matches()) {
            return 0;
        }
        double size = Double.parseDouble(downloaded.group(1));
        return switch (downloaded.group(2)) {
            case "M" -> size;
            case "k" -> size / 1e3;
            default -> size / 1e6;
        };
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
