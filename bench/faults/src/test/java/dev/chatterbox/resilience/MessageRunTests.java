package dev.chatterbox.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.comparison.QueueWorkers;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Target;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceChannel;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests real programs, which get ready for a slice and never do it. */
class MessageRunTests {

    @TempDir
    private Path folder;

    /** A run would otherwise wait ten minutes for its messages, after the fault that should break them has failed. */
    @Test
    void aRunThatIsGivenUpIsOverAtOnceAndItsProgramsAreGone() {
        Target.Program program = new Target.Program(
                JavaCommand.of(
                        List.of("-Xshare:auto", "-cp", System.getProperty("java.class.path"), Endless.class.getName())),
                Map.of());
        Slice slice = new Slice("messages", "nats", Workload.parse("queue calls=10 users=1"), 1, 0);
        try (QueueWorkers programs =
                new QueueWorkers("nats", new Target.Queue(program, program), folder, "", List.of())) {
            programs.prepare(slice);
            List<Long> pids = List.copyOf(programs.roles().keySet());
            MessageRun run = MessageRun.begin(programs, slice);
            assertThat(run.isOver()).isFalse();

            run.close();

            assertThat(run.isOver()).isTrue();
            assertThatThrownBy(run::counts).isInstanceOf(ProcessException.class);
            assertThat(pids)
                    .hasSize(2)
                    .allSatisfy(pid -> assertThat(ProcessHandle.of(pid)).isEmpty());
        }
    }

    static final class Endless {
        public static void main(String[] args) throws IOException {
            try (SliceChannel bench =
                    SliceChannel.connect(System.getenv(SliceChannel.VARIABLE), Duration.ofSeconds(60))) {
                bench.serve(new SliceChannel.Worker() {
                    @Override
                    public String prepare(Slice slice) {
                        return "";
                    }

                    @Override
                    public void begin(Slice slice, Consumer<SliceResult> answer) {}
                });
            }
        }
    }
}
