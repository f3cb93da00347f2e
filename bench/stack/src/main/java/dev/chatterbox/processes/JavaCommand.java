package dev.chatterbox.processes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a child process that runs on the same Java as this program. */
public final class JavaCommand {

    private JavaCommand() {}

    /**
     * The java executable, flags that keep a newer Java from warning about native code and {@code sun.misc.Unsafe} in
     * Netty, Kafka and protobuf, and the arguments.
     */
    public static List<String> of(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 24) {
            command.add("--enable-native-access=ALL-UNNAMED");
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(arguments);
        return command;
    }

    /**
     * The command line of a small program of ours, which takes few threads and little memory.
     *
     * @param heap the flag for the maximum heap size
     */
    public static List<String> light(String heap, String classPath, Class<?> main, List<String> arguments) {
        List<String> all = new ArrayList<>(
                List.of(heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPath, main.getName()));
        all.addAll(arguments);
        return of(all);
    }
}
