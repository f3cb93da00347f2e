package dev.chatterbox.processes;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** Puts files where others may be reading: whole, or not at all. */
public final class Cache {

    private Cache() {}

    /** Fills a new and empty folder. */
    @FunctionalInterface
    public interface Filler {
        void fill(Path folder) throws IOException;
    }

    /**
     * Fills a new folder beside the target and moves what came of it there, so that nobody ever sees it half-written.
     * Another process may do the same at once.
     *
     * @param result what is moved: a file or folder in the filled one
     */
    public static Path fill(Path target, String result, Filler filler) throws IOException {
        Files.createDirectories(target.getParent());
        Path folder = Files.createTempDirectory(target.getParent(), "new-");
        try {
            filler.fill(folder);
            Path made = folder.resolve(result);
            if (!Files.exists(made)) {
                throw new FileNotFoundException("no %s came of it".formatted(result));
            }
            try {
                return Files.move(made, target, StandardCopyOption.ATOMIC_MOVE);
            } catch (FileSystemException e) {
                // A folder does not replace another that holds files: whoever was faster has filled it alike.
                if (Files.isDirectory(target)) {
                    return target;
                }
                throw e;
            }
        } finally {
            delete(folder);
        }
    }

    /** Deletes a folder with all that it holds. */
    public static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
