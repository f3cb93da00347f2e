package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.stack.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Lets a short backlog grow and go on a real stack. */
@Tag("long")
@EnabledOnOs(OS.LINUX)
class PressureIT {

    private final Repository repository = Commands.builtCheckout();
    private final Commands commands = new Commands(repository);
    private final int offset = commands.freeOffset();

    @TempDir
    Path directory;

    @Test
    void drainsWhatWasStoredAndShowsWhatWasNot() throws IOException {
        Result result = commands.run(
                "pressure",
                "backlog",
                "--transports=nats,jetstream",
                "--seconds=2",
                "--port-offset=" + offset,
                "--out=" + directory);

        System.out.println(result.output());
        assertThat(result.exitCode()).as(result.output()).isZero();
        JsonNode measured = JsonMapper.shared()
                .readTree(Files.readString(directory.resolve("backlog.json")))
                .path("measured");
        assertThat(measured).hasSizeBetween(2, 4).allSatisfy(outcome -> {
            assertThat(first(outcome, "Backlogs").path("phase").asString()).isEqualTo("held");
            assertThat(first(outcome, "Backlogs").path("seconds").asDouble()).isBetween(1.9, 4.0);
            assertThat(first(outcome, "Brokers").path("samples")).hasSizeGreaterThan(2);
            assertThat(first(outcome, "Brokers").path("most memory").asLong()).isPositive();
            assertThat(first(outcome, "Messages").path("lost").asLong(-1)).isZero();
        });
        assertThat(measured)
                .filteredOn(outcome -> outcome.path("variant").asString().equals("jetstream"))
                .isNotEmpty()
                .allSatisfy(outcome -> {
                    JsonNode messages = first(outcome, "Messages");
                    assertThat(first(outcome, "Backlogs")
                                    .path("waiting at its end")
                                    .asLong())
                            .as("more than a second's messages; they are published for five")
                            .isGreaterThan(messages.path("messages").asLong() / 5);
                    assertThat(messages.path("consumed").asLong())
                            .isEqualTo(messages.path("messages").asLong());
                    assertThat(first(outcome, "Brokers")
                                    .path("disk a waiting message")
                                    .asDouble())
                            .isGreaterThan(1_024);
                });
        assertThat(directory.resolve("backlog.md")).content().contains("| jetstream |", "| held |");
    }

    /** The first line that a case adds to a table. */
    private static JsonNode first(JsonNode outcome, String table) {
        return outcome.path("tables").path(table).path(0);
    }

    @AfterEach
    void leavesNothing() throws IOException {
        commands.removeStack(offset);
    }
}
