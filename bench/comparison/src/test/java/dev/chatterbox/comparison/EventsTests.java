package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@DisabledOnOs(OS.WINDOWS)
class EventsTests {

    @TempDir
    Path directory;

    @Test
    void findsTheEventsInAllThatAProcessWrites() {
        ChildProcess process = start("""
                echo noise
                echo '@chatterbox {"event":"ready"}'
                printf 'a half line @chatterbox {"event":"meas'; sleep 0.1; echo 'ure","id":"1"}'
                echo '@chatterbox not json'
                echo '@chatterbox {"event":"done"}'
                """);
        try (Events events = new Events(process)) {
            assertThat(events.next(10)).map(EventsTests::name).contains("ready");
            assertThat(events.next(10)).map(EventsTests::name).contains("measure");
            assertThat(events.next(10)).map(EventsTests::name).contains("done");
            assertThat(events.next(10)).as("it has ended").isEmpty();
        }
    }

    @Test
    void doesNotWaitForEver() {
        ChildProcess process = start("sleep 60");
        try (Events events = new Events(process)) {
            assertThat(events.next(0.05)).isEmpty();
        } finally {
            process.stop(Duration.ZERO);
        }
    }

    private ChildProcess start(String script) {
        return ChildProcess.start(
                "test", new ProcessBuilder("/bin/sh", "-c", script), directory.resolve("log"), Lifetime.WITH_PARENT);
    }

    private static String name(JsonNode event) {
        return event.path("event").asString();
    }
}
