package dev.chatterbox.stack;

import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The copy of a runnable jar that a stack runs, because a build may replace the jar meanwhile. Spring Boot's jar is
 * unpacked, and its own launcher runs the folder: Java starts faster from that than from jars inside a jar.
 */
final class UnpackedJar {

    private static final String LAUNCHER = "org.springframework.boot.loader.launch.JarLauncher";

    private UnpackedJar() {}

    /** @param folder the new folder for the copy */
    static void copy(Path jar, Path folder) {
        try (FileSystem content = FileSystems.newFileSystem(jar);
                Stream<Path> files = Files.walk(content.getPath("/"))) {
            Files.createDirectories(folder.getParent());
            if (!Files.exists(content.getPath("BOOT-INF"))) {
                Files.copy(jar, plain(Files.createDirectory(folder)));
                return;
            }
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.toString().substring(1)));
            }
        } catch (IOException e) {
            throw new ProcessException("%s cannot be unpacked: %s".formatted(jar, e.getMessage()));
        }
    }

    /** The arguments by which Java runs a copy. */
    static List<String> arguments(Path folder) {
        return Files.exists(plain(folder))
                ? List.of("-jar", plain(folder).toString())
                : List.of("-cp", folder.toString(), LAUNCHER);
    }

    /** A jar that is not Spring Boot's, in the folder of its copy. */
    private static Path plain(Path folder) {
        return folder.resolve(folder.getFileName() + ".jar");
    }
}
