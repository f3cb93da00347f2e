package dev.chatterbox.processes;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;

/** What another JVM of this user says of itself, asked by the JDK's program jcmd. Each question takes half a second. */
public final class Jvm {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private Jvm() {}

    /**
     * The flags that took effect and are no defaults, also those that the JVM has chosen for this machine.
     *
     * @throws IOException the process is no JVM, does not answer, or this Java has no jcmd
     */
    public static String flags(long pid) throws IOException {
        return ask(pid, "VM.flags").strip();
    }

    /** @throws IOException as {@link #flags} */
    public static Properties properties(long pid) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(ask(pid, "VM.system_properties")));
        return properties;
    }

    /**
     * Asks any question that jcmd knows.
     *
     * @throws IOException as {@link #flags}
     */
    public static String ask(long pid, String question) throws IOException {
        // jcmd announces itself by a signal that ends any program but a JVM.
        if (!Path.of("/proc", Long.toString(pid), "exe").toRealPath().endsWith("java")) {
            throw new IOException("process %d is no JVM".formatted(pid));
        }
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String answer = Command.run(TIMEOUT, ChildEnvironment.builder(List.of(jcmd, Long.toString(pid), question)));
        // The first line is the pid.
        return answer.substring(answer.indexOf('\n') + 1);
    }
}
