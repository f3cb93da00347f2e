package dev.chatterbox.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The TCP connections of a process, as Linux shows them. */
final class Connections {

    private static final String ESTABLISHED = "01";

    private Connections() {}

    /** The ports of the other ends of the process' connections, whichever end has connected. */
    static Set<Integer> remotePorts(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        Set<String> own = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path file : files) {
                own.add(Files.readSymbolicLink(file).toString());
            }
        }
        Set<Integer> ports = new TreeSet<>();
        for (String family : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(process.resolve("net").resolve(family))) {
                // The fields are "sl local_address rem_address st … inode".
                String[] field = line.trim().split("\\s+");
                if (field.length > 9 && field[3].equals(ESTABLISHED) && own.contains("socket:[" + field[9] + "]")) {
                    ports.add(Integer.parseInt(field[2].substring(field[2].lastIndexOf(':') + 1), 16));
                }
            }
        }
        return ports;
    }
}
