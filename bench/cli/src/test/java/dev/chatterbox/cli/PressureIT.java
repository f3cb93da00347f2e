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
        assertThat(measured).hasSizeBetween(2, 4).allSatisfy(one -> {
            assertThat(one.path("phases").path(0).path("name").asString()).isEqualTo("held");
            assertThat(one.path("phases").path(0).path("seconds").asDouble()).isBetween(1.9, 4.0);
            assertThat(one.path("samples")).isNotEmpty();
            assertThat(one.path("memory").path("most").asLong()).isPositive();
            assertThat(one.path("lost").asLong(-1)).isZero();
        });
        assertThat(measured)
                .filteredOn(one -> one.path("row").asString().equals("jetstream"))
                .isNotEmpty()
                .allSatisfy(one -> {
                    assertThat(one.path("phases").path(0).path("waiting").asLong())
                            .isGreaterThan(one.path("rate").asLong());
                    assertThat(one.path("consumed").asLong())
                            .isEqualTo(one.path("messages").asLong());
                    assertThat(one.path("diskOfMessage").asDouble()).isGreaterThan(1_024);
                });
        assertThat(measured).allSatisfy(one -> assertThat(one.path("progress")).isNotEmpty());
        assertThat(directory.resolve("backlog.md")).content().contains("| jetstream |", "| held |");
    }

    @AfterEach
    void leavesNothing() throws IOException {
        commands.removeStack(offset);
    }
}
