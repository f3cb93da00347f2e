package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.processes.LoopDisk;
import dev.chatterbox.stack.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Cuts the power of JetStream's disk, on machines with root. Its runs of seconds are in every CI, as the kits are. */
@Tag("kit")
class PowerCutIT {

    private final Repository repository = Commands.builtCheckout();
    private final Commands commands = new Commands(repository);
    private final int offset = commands.freeOffset();

    @TempDir
    Path directory;

    @BeforeEach
    void needsADisk() {
        Optional<String> lack = LoopDisk.lack(directory.resolve("trial"));
        lack.ifPresent(reason -> System.out.printf("Skipped: the tests of power cuts. %s%n", reason));
        assumeThat(lack).isEmpty();
    }

    @AfterEach
    void leavesNothing() throws IOException {
        commands.removeStack(offset);
        assertThat(Files.readString(Path.of("/proc/mounts")))
                .doesNotContain(repository.stack(offset).directory().toString());
    }

    @Test
    void jetStreamLosesAcknowledgedMessagesByDefault() throws IOException {
        assertThat(runs("jetstream"))
                .allSatisfy(run -> assertThat(run.path("lost").asLong()).isPositive());
    }

    @Test
    void jetStreamLosesNothingIfItAlwaysSyncs() throws IOException {
        assertThat(runs("jetstream-always"))
                .allSatisfy(run -> assertThat(run.path("lost").asLong(-1)).isZero());
    }

    @Test
    void aPersonCutsThePowerOfARunningBroker() {
        done("up", "--disks", "--transports=jetstream");
        assertThat(done("fault", "power-cut", "nats")).contains("what was synced");
        assertThat(done("fault", "restart", "nats")).contains("answers again");
        assertThat(done("up", "--disks")).contains("Already running");
        done("down");
    }

    private String done(String... words) {
        String[] moved = Arrays.copyOf(words, words.length + 1);
        moved[words.length] = "--port-offset=" + offset;
        Result result = commands.run(moved);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    /** The lines of the table. */
    private List<JsonNode> runs(String variant) throws IOException {
        System.out.println(
                done("resilience", "--cases=power", "--transports=" + variant, "--phase=3s", "--out=" + directory));
        List<JsonNode> runs = JsonMapper.shared()
                .readTree(Files.readString(directory.resolve("resilience.json")))
                .path("measured")
                .valueStream()
                .map(outcome -> outcome.path("tables").path("Power cuts").path(0))
                .toList();
        assertThat(runs).hasSize(3).allSatisfy(run -> {
            assertThat(run.path("acknowledged").asLong()).isPositive();
            assertThat(run.path("broker starts").asString()).isEqualTo("yes");
        });
        return runs;
    }
}
