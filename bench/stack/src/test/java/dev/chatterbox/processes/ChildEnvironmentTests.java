package dev.chatterbox.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChildEnvironmentTests {

    private static final List<String> HOSTILE = List.of(
            "DEBUG",
            "KAFKA_OPTS",
            "NATS_SERVER",
            "RABBITMQ_NODENAME",
            "SPRING_CONFIG_LOCATION",
            "SERVER_PORT",
            "MANAGEMENT_SERVER_PORT",
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "JAVA_TOOL_OPTIONS",
            "_JAVA_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "PYTHONPATH",
            "PIP_INDEX_URL",
            "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION",
            "LC_ALL",
            "CLASSPATH");

    private static Map<String, String> hostile() {
        Map<String, String> environment = new HashMap<>();
        HOSTILE.forEach(name -> environment.put(name, "nonsense"));
        return environment;
    }

    @Test
    void keepsNothingThatCouldChangeWhatIsMeasured() {
        Map<String, String> environment = hostile();
        environment.put("PATH", "/bin");
        environment.put("LANG", "de_DE");
        environment.put("NATS_SERVER_BIN", "/opt/nats");
        environment.put("CHATTERBOX_MAX_CALLS", "50");

        assertThat(ChildEnvironment.of(environment))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "PATH", "/bin",
                        "LANG", "C.UTF-8",
                        "NATS_SERVER_BIN", "/opt/nats",
                        "CHATTERBOX_MAX_CALLS", "50"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http_proxy", "HTTPS_PROXY", "SSL_CERT_FILE", "JAVA_HOME", "HOME", "TMPDIR"})
    void keepsWhatAProcessNeeds(String name) {
        assertThat(ChildEnvironment.of(Map.of(name, "x"))).containsEntry(name, "x");
    }

    @Test
    void handsDownWhatTheUserNames() {
        Map<String, String> environment = hostile();
        environment.put(ChildEnvironment.HANDED_DOWN, "SPRING_CONFIG_LOCATION, DEBUG,NOT_SET");

        assertThat(ChildEnvironment.of(environment)).containsKeys("DEBUG", "SPRING_CONFIG_LOCATION", "CHATTERBOX_ENV");
        assertThat(ChildEnvironment.of(environment)).doesNotContainKeys("NOT_SET", "KAFKA_OPTS");
        assertThat(ChildEnvironment.sentences(environment))
                .contains("Every process gets DEBUG, SPRING_CONFIG_LOCATION, as CHATTERBOX_ENV says.");
    }

    @Test
    void saysWhatChangesThisProgramItself() {
        assertThat(ChildEnvironment.sentences(Map.of("PATH", "/bin", "JAVA_TOOL_OPTIONS", "")))
                .isEmpty();
        assertThat(ChildEnvironment.sentences(hostile()))
                .hasSize(3)
                .contains("JAVA_TOOL_OPTIONS changes the JVM of this command only: its processes do not get it.");
    }

    /** A JVM with a hostile environment starts a child, which prints its own. */
    @Test
    void aChildSeesNothingOfAHostileEnvironment(@TempDir Path directory) throws IOException {
        ProcessBuilder parent = new ProcessBuilder(JavaCommand.light(
                "-Xmx32m", System.getProperty("java.class.path"), Parent.class, List.of(directory.toString())));
        // JVM options that are nonsense would end the parent itself.
        Map<String, String> environment = hostile();
        List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS")
                .forEach(name -> environment.put(name, "-Dchatterbox.hostile=nonsense"));
        parent.environment().putAll(environment);

        Command.run(Duration.ofMinutes(1), parent);

        assertThat(Files.readString(directory.resolve("child.log")))
                .contains("PATH=", "LANG=C.UTF-8")
                .doesNotContain("nonsense");
    }

    static final class Parent {
        public static void main(String[] arguments) {
            ChildProcess child = ChildProcess.start(
                    "child",
                    ChildEnvironment.builder(List.of("env")),
                    Path.of(arguments[0], "child.log"),
                    Lifetime.WITH_PARENT);
            child.handle().onExit().join();
        }
    }
}
