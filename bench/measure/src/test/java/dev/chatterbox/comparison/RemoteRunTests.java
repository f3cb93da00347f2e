package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.comparison.remote.FakeSystem;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceChannel;
import dev.chatterbox.workloads.SliceResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures a system that is not there, with an injector that makes ten requests at once. */
class RemoteRunTests {

    private static final int RIGHT = 10;
    private static final int CALLS = 100;

    @TempDir
    private Path folder;

    private FakeSystem system;
    private Cells cells;
    private @Nullable RemoteRun run;

    /** What happens in a load, besides the ten requests. */
    private Consumer<Slice> load = slice -> {
        system.count("ok", RIGHT * CALLS);
        system.cpu.replaceAll((clock, used) -> used + 4);
    };

    @BeforeEach
    void start() throws IOException {
        system = new FakeSystem();
    }

    @AfterEach
    void stop() {
        system.close();
    }

    @Test
    void subtractsWhatWasCountedBeforeALoadAndAfterIt() throws IOException {
        assertThat(measure()).allSatisfy(slice -> {
            assertThat(slice.reasons()).isEmpty();
            assertThat(slice.requests()).isEqualTo(RIGHT);
            assertThat(slice.calls()).isEqualTo(RIGHT * CALLS);
            // The unit of the services' own counter is a nanosecond, and that of the broker's group a second.
            assertThat(slice.cpuNanos())
                    .isEqualTo(Map.of(Role.AGGREGATOR, 4L, Role.RESPONDER, 4L, Role.BROKER, 4_000_000_000L));
        });
        assertThat(counts().agree()).isTrue();
        assertThat(counts().responderSquares()).isEqualTo(Map.of("square-service-nats", 1000L));
        assertThat(run().doubts).isEmpty();
        assertThat(run().counts.doubts()).isEmpty();
    }

    /** A counter that has fallen is that of another process. */
    @Test
    void doesNotCountASliceInWhichAProcessWasReplaced() throws IOException {
        load = slice -> {
            system.count("ok", RIGHT * CALLS);
            system.cpu.put(FakeSystem.BROKER, 1.0);
        };

        assertThat(measure().get(0).reasons()).containsExactly("a process of nats began, ended or was replaced");
    }

    @Test
    void doesNotCountASliceAfterWhichAProcessWasNotSampled() throws IOException {
        load = slice -> {
            system.count("ok", RIGHT * CALLS);
            system.samples = false;
        };

        assertThat(measure().get(0).reasons()).contains("the counters of nats were not sampled after the load");
    }

    @Test
    void doesNotCountABlockWhoseCallsWereNotAllCounted() throws IOException {
        load = slice -> system.count("ok", RIGHT * CALLS - 1);

        assertThat(measure().get(0).reasons())
                .containsExactly(
                        "999 calls by the aggregator's count, 1000 by the generator's",
                        "999 messages by the aggregator's count, but so many calls take 1000");
        assertThat(counts().agree()).isFalse();
    }

    @Test
    void knowsNoCostIfTheCpuTimeOfAProcessIsNotKnown() throws IOException {
        system.clocks.remove(FakeSystem.BROKER);

        SliceFigures slice = measure().get(0);

        assertThat(slice.cpuNanos()).isEmpty();
        assertThat(slice.reasons()).isEmpty();
        assertThat(cell().doubts()).contains("the CPU time of nats is not known");
        assertThat(counts().agree()).isTrue();
    }

    @Test
    void endsIfPrometheusGoesAway() {
        load = slice -> {
            system.count("ok", RIGHT * CALLS);
            system.takePrometheusAway();
        };

        assertThatThrownBy(this::measure)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("answers 404 to /api/v1/query");
    }

    private List<SliceFigures> measure() throws IOException {
        Map<String, String> options = Map.of("blocks", "1", "width", "100%", "time", "1s");
        Preset preset =
                Preset.read(Path.of("../workloads/presets"), "smoke", options).withCalls(List.of(CALLS));
        cells = new Cells(preset, List.of("nats"));
        try (ProgressLine progress = new ProgressLine(Steps.SILENT, folder.resolve("progress.log"));
                RemoteRun measured = new RemoteRun(
                        system.find(),
                        new Injectors(List.of(Worker.come("injector", injector()))),
                        progress,
                        -1,
                        0,
                        () -> false)) {
            run = measured;
            measured.measure(preset, cells, new Blocks(preset, cells, new Random(1)), () -> {});
        }
        return cell().slices();
    }

    private RemoteRun run() {
        return Objects.requireNonNull(run);
    }

    private Counts counts() {
        return run().counts.sum();
    }

    private Cell cell() {
        return cells.all().iterator().next().cell(List.of());
    }

    private SliceChannel injector() throws IOException {
        try (SliceChannel.Listener listener = new SliceChannel.Listener()) {
            SliceChannel end = SliceChannel.connect(listener.environment().get(SliceChannel.VARIABLE), Duration.ZERO);
            Thread thread = new Thread(() -> serve(end));
            thread.setDaemon(true);
            thread.start();
            return listener.accept(Duration.ofSeconds(10)).orElseThrow();
        }
    }

    private void serve(SliceChannel end) {
        try (end) {
            end.serve((slice, answer) -> {
                load.accept(slice);
                Histogram latency = new Histogram(3);
                latency.recordValue(1_000_000);
                answer.accept(new SliceResult(slice.id(), 1, RIGHT, Map.of(), 0, latency, 0.1));
            });
        } catch (IOException e) {
            // The test has ended.
        }
    }
}
