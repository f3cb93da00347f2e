package dev.chatterbox.stack;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a stack was started as, kept in a file for the commands that come later.
 *
 * @param rows names of those that were started
 * @param disabled rows that were asked for and could not be started, with the reason
 * @param environment by which clients find the brokers and responders
 * @param faultsToken opens the responders' {@code /faults}; the file that keeps it is readable for its owner only
 * @param controlToken opens the control service; empty where the stack has none
 * @param jars that run, by the name of their process
 * @param network between its processes
 */
public record StackState(
        List<String> rows,
        Map<String, String> disabled,
        Map<String, String> environment,
        String faultsToken,
        String controlToken,
        Map<String, Path> jars,
        NetworkPorts network) {

    private static final String ROWS = "rows";
    private static final String FAULTS_TOKEN = "faults-token";
    private static final String CONTROL_TOKEN = "control-token";
    private static final String DISABLED = "disabled.";
    private static final String ENVIRONMENT = "env.";
    private static final String JAR = "jar.";
    private static final String NETWORK = "network";
    private static final String DISTANCE = "distance";
    private static final String LISTENING = "listening.";

    /** Of a stack of which nothing is known. */
    static final StackState NONE = new StackState(List.of(), Map.of(), Map.of(), "", "", Map.of(), NetworkPorts.NONE);

    /**
     * By which a network that has ended is started again where it was.
     *
     * @param port where it is told what to do; 0 where there is none
     * @param distanceMillis the round-trip time that it was set to
     * @param listening its port by the link's
     */
    public record NetworkPorts(int port, int distanceMillis, Map<Integer, Integer> listening) {

        static final NetworkPorts NONE = new NetworkPorts(0, 0, Map.of());
    }

    StackState withDistance(int millis) {
        return new StackState(
                rows,
                disabled,
                environment,
                faultsToken,
                controlToken,
                jars,
                new NetworkPorts(network.port, millis, network.listening));
    }

    static StackState read(Path file) {
        if (!Files.exists(file)) {
            return NONE;
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, Path> jars = new TreeMap<>();
        below(JAR, properties).forEach((name, jar) -> jars.put(name, Path.of(jar)));
        Map<Integer, Integer> listening = new TreeMap<>();
        below(LISTENING, properties)
                .forEach((port, before) -> listening.put(Integer.valueOf(port), Integer.valueOf(before)));
        return new StackState(
                Stream.of(properties.getProperty(ROWS, "").split(","))
                        .filter(row -> !row.isEmpty())
                        .toList(),
                below(DISABLED, properties),
                below(ENVIRONMENT, properties),
                properties.getProperty(FAULTS_TOKEN, ""),
                properties.getProperty(CONTROL_TOKEN, ""),
                jars,
                new NetworkPorts(
                        Integer.parseInt(properties.getProperty(NETWORK, "0")),
                        Integer.parseInt(properties.getProperty(DISTANCE, "0")),
                        listening));
    }

    private static Map<String, String> below(String prefix, Properties properties) {
        Map<String, String> values = new TreeMap<>();
        properties.stringPropertyNames().stream()
                .filter(key -> key.startsWith(prefix))
                .forEach(key -> values.put(key.substring(prefix.length()), properties.getProperty(key)));
        return values;
    }

    void write(Path file) {
        Properties properties = new Properties();
        properties.put(ROWS, String.join(",", rows));
        properties.put(FAULTS_TOKEN, faultsToken);
        properties.put(CONTROL_TOKEN, controlToken);
        disabled.forEach((row, reason) -> properties.put(DISABLED + row, reason));
        environment.forEach((variable, value) -> properties.put(ENVIRONMENT + variable, value));
        jars.forEach((name, jar) -> properties.put(JAR + name, jar.toString()));
        properties.put(NETWORK, Integer.toString(network.port));
        properties.put(DISTANCE, Integer.toString(network.distanceMillis));
        network.listening.forEach((port, before) -> properties.put(LISTENING + port, before.toString()));
        // Others read it at any time.
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.deleteIfExists(unfinished);
            if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        unfinished, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            try (Writer writer = Files.newBufferedWriter(unfinished)) {
                properties.store(writer, null);
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
