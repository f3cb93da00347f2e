package dev.chatterbox.processes;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/** Files of a {@code .tar.gz} or {@code .zip}. Links are left out; what the owner may execute, everybody may. */
final class Archive {

    private static final int BLOCK = 512;

    private Archive() {}

    /** Tells where an entry goes. */
    @FunctionalInterface
    interface Target {
        /** @return empty for what is not needed */
        Optional<Path> of(String entry) throws IOException;
    }

    static void unpack(Path archive, Target target) throws IOException {
        try (InputStream content = new BufferedInputStream(Files.newInputStream(archive))) {
            if (archive.toString().endsWith(".zip")) {
                unpackZip(new ZipInputStream(content), target);
            } else {
                unpackTar(new BufferedInputStream(new GZIPInputStream(content)), target);
            }
        }
    }

    private static void unpackZip(ZipInputStream zip, Target target) throws IOException {
        for (@Nullable ZipEntry entry; (entry = zip.getNextEntry()) != null; ) {
            Optional<Path> file = entry.isDirectory() ? Optional.empty() : target.of(entry.getName());
            if (file.isPresent()) {
                Files.createDirectories(file.get().getParent());
                Files.copy(zip, file.get());
                // The format does not tell Java what is a program.
                file.get().toFile().setExecutable(true, false);
            }
        }
    }

    /** A tar archive is a sequence of headers of one block, each followed by its file, padded to whole blocks. */
    private static void unpackTar(InputStream tar, Target target) throws IOException {
        byte[] header = new byte[BLOCK];
        String longName = "";
        while (tar.readNBytes(header, 0, BLOCK) == BLOCK && header[0] != 0) {
            long size = Long.parseLong(text(header, 124, 12), 8);
            long padding = (BLOCK - size % BLOCK) % BLOCK;
            char type = (char) header[156];
            String prefix = text(header, 345, 155);
            String name = !longName.isEmpty()
                    ? longName
                    : (isPosix(header) && !prefix.isEmpty() ? prefix + "/" : "") + text(header, 0, 100);
            longName = "";
            switch (type) {
                // The name of the next entry, as GNU writes one that is too long for its field, and as POSIX does.
                case 'L' -> longName = text(read(tar, size), 0, (int) size);
                case 'x' -> longName = posixPath(new String(read(tar, size), StandardCharsets.UTF_8));
                case '0', '\0' -> {
                    Optional<Path> file = target.of(name);
                    if (file.isPresent()) {
                        write(tar, size, file.get());
                        if ((Integer.parseInt(text(header, 100, 8), 8) & 0100) != 0) {
                            file.get().toFile().setExecutable(true, false);
                        }
                    } else {
                        tar.skipNBytes(size);
                    }
                }
                default -> tar.skipNBytes(size);
            }
            tar.skipNBytes(padding);
        }
    }

    private static boolean isPosix(byte[] header) {
        // GNU's own format ends the word with a blank and uses the prefix for something else.
        return "ustar".equals(text(header, 257, 6)) && header[262] == 0;
    }

    /** Records of the form "length key=value\n". */
    private static String posixPath(String records) {
        return records.lines()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .filter(record -> record.startsWith("path="))
                .map(record -> record.substring("path=".length()))
                .findFirst()
                .orElse("");
    }

    private static void write(InputStream tar, long size, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        try (var out = Files.newOutputStream(file)) {
            byte[] buffer = new byte[1 << 16];
            for (long left = size; left > 0; ) {
                int read = tar.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (read < 0) {
                    throw new EOFException("the archive breaks off in " + file.getFileName());
                }
                out.write(buffer, 0, read);
                left -= read;
            }
        }
    }

    private static byte[] read(InputStream tar, long size) throws IOException {
        byte[] bytes = tar.readNBytes((int) size);
        if (bytes.length != size) {
            throw new EOFException("the archive breaks off");
        }
        return bytes;
    }

    private static String text(byte[] bytes, int offset, int length) {
        return new String(bytes, offset, length, StandardCharsets.UTF_8).split("\0", 2)[0].strip();
    }
}
