package dev.chatterbox.processes.programs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;

/** Puts complete files, or none, where other processes may be reading. */
public final class Cache {

    private Cache() {}

    /** Fills a new and empty folder. */
    @FunctionalInterface
    public interface Filler {
        void fill(Path folder) throws IOException;
    }

    /**
     * Fills a new folder beside the target and then moves the result to the target, so that no process ever sees it
     * half written. Another process may do the same at the same time.
     *
     * @param result the name of the file or folder in the filled folder that is moved
     */
    public static Path fill(Path target, String result, Filler filler) throws IOException {
        Files.createDirectories(target.getParent());
        Path folder = Files.createTempDirectory(target.getParent(), "new-");
        try {
            filler.fill(folder);
            Path program = folder.resolve(result);
            if (!Files.exists(program)) {
                throw new FileNotFoundException("no %s came of it".formatted(result));
            }
            try {
                return Files.move(program, target, StandardCopyOption.ATOMIC_MOVE);
            } catch (FileSystemException e) {
                // A folder cannot replace one that holds files: a faster process has filled that one alike.
                if (Files.isDirectory(target)) {
                    return target;
                }
                throw e;
            }
        } finally {
            delete(folder);
        }
    }

    /** The name of a version of something; it differs if the contents differ. */
    public static String version(String name, String contents) {
        return name + "-" + DigestUtils.sha256Hex(contents).substring(0, 12);
    }

    /** The files and folders in a folder; empty if the folder does not exist. */
    public static List<Path> list(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes a file, or a folder with its contents, if it exists. */
    public static void delete(Path file) {
        if (!Files.exists(file)) {
            return;
        }
        try (Stream<Path> files = Files.walk(file)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
