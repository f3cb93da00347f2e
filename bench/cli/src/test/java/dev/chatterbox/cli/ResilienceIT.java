package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs a short part of the command, which takes half an hour as a whole, on one variant of a real stack. */
@Tag("long")
class ResilienceIT {

    private static final List<String> CASES = List.of("responder-killed", "link-cut", "slow-responder");

    private final Repository repository = Commands.builtCheckout();
    private final Commands commands = new Commands(repository);
    private final int offset = commands.freeOffset();

    @TempDir
    Path directory;

    @BeforeAll
    static void needsToxiproxy() {
        Optional<String> whyUnavailable = whyUnavailable();
        whyUnavailable.ifPresent(reason -> System.out.printf("Skipped: the tests of resilience. %s%n", reason));
        assumeThat(whyUnavailable).isEmpty();
    }

    private static Optional<String> whyUnavailable() {
        try {
            Toxiproxy.program().obtain();
            return Optional.empty();
        } catch (ProcessException e) {
            return Optional.of(e.line());
        }
    }

    @AfterEach
    void leavesNothing() throws IOException {
        commands.removeStack(offset);
    }

    @Test
    void getsWellAfterADeathACutAndASlowResponder() throws IOException {
        Result result = commands.run(
                "resilience",
                "--transports=nats",
                "--cases=" + String.join(",", CASES),
                "--port-offset=" + offset,
                "--out=" + directory);

        System.out.println(result.output());
        assertThat(result.exitCode()).as(result.output()).isZero();
        JsonNode measured = JsonMapper.shared()
                .readTree(Files.readString(directory.resolve("resilience.json")))
                .path("measured");
        assertThat(measured).hasSameSizeAs(CASES).allSatisfy(outcome -> {
            assertThat(outcome.path("variant").asString()).isEqualTo("nats");
            assertThat(outcome.path("name").asString()).isIn(CASES);
            assertThat(requests(outcome).path("right").asLong()).isGreaterThan(100);
            assertThat(requests(outcome).path("wrong").asLong(-1)).isZero();
            assertThat(requests(outcome).path("other variant").path("right").asLong())
                    .isPositive();
        });
        // The two other cases must have caused errors: a case that breaks nothing would otherwise pass, too.
        assertThat(measured)
                .filteredOn(outcome -> !outcome.path("name").asString().equals("slow-responder"))
                .allSatisfy(
                        outcome -> assertThat(requests(outcome).path("errors")).isNotEmpty());
        assertThat(directory.resolve("resilience.md")).content().contains("### Requests", "| nats | link-cut |");
    }

    /** A backlog needs no network between the processes. */
    @Test
    void drainsWhatWasStoredAndShowsWhatWasNot() throws IOException {
        Result result = commands.run(
                "resilience",
                "--cases=backlog",
                "--transports=nats,jetstream",
                "--phase=2s",
                "--port-offset=" + offset,
                "--out=" + directory);

        System.out.println(result.output());
        assertThat(result.exitCode()).as(result.output()).isZero();
        JsonNode measured = JsonMapper.shared()
                .readTree(Files.readString(directory.resolve("resilience.json")))
                .path("measured");
        assertThat(measured).hasSize(3).allSatisfy(outcome -> {
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
        assertThat(directory.resolve("resilience.md")).content().contains("| jetstream |", "| held |");
    }

    private static JsonNode requests(JsonNode outcome) {
        return first(outcome, "Requests");
    }

    /** The first line that a case adds to a table. */
    private static JsonNode first(JsonNode outcome, String table) {
        return outcome.path("tables").path(table).path(0);
    }
}
