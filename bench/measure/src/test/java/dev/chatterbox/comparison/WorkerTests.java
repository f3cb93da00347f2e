package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Target;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceChannel;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the real channel, with a process that answers every slice except those of the variant {@code silent}. */
class WorkerTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    private Worker start(Class<?> main) {
        List<String> command =
                JavaCommand.of(List.of("-Xshare:auto", "-cp", System.getProperty("java.class.path"), main.getName()));
        return Worker.program("bare-nats", new Target.Program(command, Map.of()), folder, "");
    }

    private static Slice slice(String variant) {
        return new Slice("1/" + variant, variant, Workload.parse("calls=10 users=2"), 7, 0);
    }

    @Test
    void carriesOutSlicesAndEndsInOrder() throws IOException {
        Worker worker = start(Answering.class);

        assertThat(worker.carryOut(slice("nats"), PATIENCE).right()).isEqualTo(7);
        assertThat(worker.carryOut(slice("rest"), PATIENCE).id()).isEqualTo("1/rest");
        long pid = worker.pid();
        worker.close();
        worker.close();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ProcessHandle.of(pid)).isEmpty());
        assertThat(Files.readString(folder.resolve("logs/bare-nats.log"))).contains("in order");
    }

    /** The planted fault: somebody kills the generator while a slice is under way. */
    @Test
    void saysAtOnceThatAProcessWasKilledUnderASlice() {
        try (Worker worker = start(Answering.class)) {
            CompletableFuture<SliceResult> result =
                    CompletableFuture.supplyAsync(() -> worker.carryOut(slice("silent"), Duration.ofMinutes(5)));
            await().atMost(PATIENCE)
                    .until(() -> Files.readString(folder.resolve("logs/bare-nats.log"))
                            .contains("begun"));

            ProcessHandle.of(worker.pid()).ifPresent(ProcessHandle::destroyForcibly);

            await().atMost(PATIENCE).until(result::isDone);
            assertThatThrownBy(result::join)
                    .hasCauseInstanceOf(ProcessException.class)
                    .hasMessageContaining("bare-nats gave no result of the slice 1/silent")
                    .hasMessageContaining("bare-nats.log");
        }
    }

    @Test
    void waitsNoLongerThanItsPatience() {
        Worker worker = start(Answering.class);

        assertThatThrownBy(() -> worker.carryOut(slice("silent"), Duration.ofMillis(100)))
                .isInstanceOf(ProcessException.class);
        worker.kill();
    }

    @Test
    void saysThatAProcessDidNotStart() {
        assertThatThrownBy(() -> start(Ending.class))
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("The bare nats did not start. Its log: ");
    }

    static final class Answering {
        public static void main(String[] args) throws IOException {
            try (SliceChannel bench = SliceChannel.connect(System.getenv(SliceChannel.VARIABLE), Duration.ZERO)) {
                bench.serve((slice, answer) -> {
                    System.out.println("begun");
                    if (!slice.variant().equals("silent")) {
                        answer.accept(new SliceResult(slice.id(), 0.5, slice.requests(), Map.of(), 0, 0));
                    }
                });
            }
            System.out.println("in order");
        }
    }

    static final class Ending {
        public static void main(String[] args) {}
    }
}
