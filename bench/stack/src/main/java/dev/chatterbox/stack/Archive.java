package dev.chatterbox.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The classes that a start of a Java program loads and links, as this JDK archives them: an AOT cache, or before JDK 25
 * class data to share. Java itself checks whether an archive fits the JDK and the jars, and starts without one that
 * does not.
 *
 * @param folder of the build of the program; it has an archive for one JDK at a time
 */
record Archive(Path folder) {

    /** JEP 514. */
    private static final boolean AHEAD_OF_TIME = Runtime.version().feature() >= 25;

    /** Whether it was made, or this JDK turned out to write none: it is empty then, so that nobody tries again. */
    boolean exists() {
        return Files.exists(file());
    }

    /** The flags by which the program starts from it; none where there is none. */
    List<String> flags() {
        return file().toFile().length() == 0
                ? List.of()
                : List.of((AHEAD_OF_TIME ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + file());
    }

    /** The flags by which the program writes it to another file when it ends. */
    static List<String> recordingFlags(Path made) {
        return List.of((AHEAD_OF_TIME ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + made);
    }

    /**
     * Puts it in its place, in one step.
     *
     * @param made what the program wrote; a file that does not exist where it wrote none
     */
    void put(Path made) throws IOException {
        Files.createDirectories(folder);
        // That of another JDK goes, for each is larger than the program.
        try (Stream<Path> files = Files.list(folder)) {
            for (Path other : files.filter(Files::isRegularFile).toList()) {
                Files.delete(other);
            }
        }
        if (Files.exists(made)) {
            Files.move(made, file(), StandardCopyOption.ATOMIC_MOVE);
        } else {
            Files.createFile(file());
        }
    }

    Path file() {
        String jdk = (System.getProperty("java.vm.version") + "-" + System.getProperty("java.vm.vendor"))
                .replaceAll("[^\\w.+-]", "_");
        return folder.resolve(jdk + (AHEAD_OF_TIME ? ".aot" : ".jsa"));
    }
}
