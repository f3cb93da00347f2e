package dev.chatterbox.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that is written whole or not at all: half of one, on a full disk, would be taken for a result. */
final class WholeFile {

    private WholeFile() {}

    static void write(Path file, String text) {
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        try {
            try {
                Files.writeString(unfinished, text);
                Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
