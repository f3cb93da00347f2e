package dev.chatterbox.processes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;

/** What becomes of an {@link IOException} that the caller cannot mend, or does not need to. */
public final class Io {

    /** Reads or writes something. */
    @FunctionalInterface
    public interface Action<T> {
        T run() throws IOException;
    }

    private Io() {}

    /** @throws UncheckedIOException it cannot be done */
    public static <T> T unchecked(Action<T> action) {
        try {
            return action.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a new file that only its owner can read. */
    public static void writePrivate(Path file, String text) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text);
    }

    /** The text of a file beside a class. */
    public static String resource(Class<?> beside, String name) {
        return unchecked(() -> {
            try (InputStream file = Objects.requireNonNull(beside.getResourceAsStream(name), name)) {
                return new String(file.readAllBytes(), StandardCharsets.UTF_8);
            }
        });
    }

    /** The result; empty if it cannot be done, or not yet. */
    public static <T> Optional<T> ifPossible(Action<T> action) {
        try {
            return Optional.of(action.run());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
