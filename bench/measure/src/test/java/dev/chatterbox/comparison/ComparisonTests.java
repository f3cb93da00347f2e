package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole comparisons of the variants of {@link FakeStack}, cold and with short slices, in which one thing goes wrong.
 */
class ComparisonTests {

    private static final int CALLS = 10;
    private static final int USERS = 2;

    @TempDir
    Path folder;

    private final List<String> lines = new ArrayList<>();
    private @Nullable FakeStack stack;

    /** As few as have an interval, and any interval is narrow enough here. */
    private static final Integer[] BLOCKS = {1, 2, 3, 4};

    private Comparison comparison(int starts) {
        Map<String, String> options = Map.of(
                "blocks",
                String.valueOf(BLOCKS.length),
                "width",
                "9999%",
                "time",
                "60s",
                "starts",
                String.valueOf(starts));
        Preset preset = Preset.read(Path.of("../workloads/presets"), "smoke", options)
                .withCalls(List.of(CALLS))
                .withUsers(List.of(USERS));
        Comparison.Setup setup = new Comparison.Setup(
                preset, FakeStack.VARIANTS, folder, folder, folder, "./chatterbox compare", 1, 100);
        return new Comparison(setup, lines::add, (target, users, suffix) -> stack(), target -> stack().counts());
    }

    private FakeStack stack() {
        return Objects.requireNonNull(stack);
    }

    private Results measured(FakeStack... starts) {
        Comparison comparison = comparison(starts.length);
        for (FakeStack start : starts) {
            stack = start;
            comparison.start(Map.of("", start.target));
        }
        comparison.write();
        return undisturbed();
    }

    /** The results without what other programs of this machine did to them, which no test here is about. */
    private Results undisturbed() {
        Path file = folder.resolve("results.json");
        try {
            String text = Files.readString(file);
            Files.writeString(file, text.replaceAll(",?\\s*\"" + SliceFigures.OTHER_PROGRAMS + "[^\"]*\"", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ResultsFile.read(folder);
    }

    private static Cell cell(Results results, String variant) {
        return results.cells().stream()
                .filter(cell -> cell.variant().equals(variant))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> reasons(Results results, String variant, int block) {
        return cell(results, variant).slices().stream()
                .filter(slice -> slice.block() == block)
                .map(SliceFigures::reasons)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void countsEveryCallAtBothEnds() {
        FakeStack good = new FakeStack();

        Results results = measured(good);

        assertThat(results.interrupted()).isFalse();
        assertThat(results.valid()).isTrue();
        assertThat(results.counts().agree()).isTrue();
        assertThat(results.counts().generatorCalls()).isEqualTo(results.counts().aggregatorCalls());
        assertThat(results.cells()).extracting(Cell::variant).containsExactly("nats", "rest");
        assertThat(results.cells()).allSatisfy(cell -> {
            assertThat(cell.slices()).extracting(SliceFigures::block).containsExactly(BLOCKS);
            assertThat(cell.counted()).hasSize(BLOCKS.length);
            assertThat(cell.requestsPerSlice()).as("0.2 s").isEqualTo(40);
            assertThat(cell.requestLatency().max()).isNotNull();
            assertThat(cell.doubts()).contains("nothing was warmed up");
        });
        assertThat(folder.resolve("logs/progress.log")).content().contains("block 2: 2 slices in ");
    }

    @Test
    void measuresEveryVariantOnceInEveryBlock() {
        FakeStack good = new FakeStack();

        measured(good);

        for (int number : BLOCKS) {
            assertThat(good.slices.stream()
                            .filter(slice -> FakeStack.block(slice) == number)
                            .map(Slice::variant))
                    .containsExactlyInAnyOrder("nats", "rest");
        }
    }

    /** The planted flaw: the responder of nats never gets a call for which the aggregator has an answer. */
    @Test
    void doesNotCountTheSlicesOfAVariantOfWhichACallWasLost() {
        Results results = measured(new FakeStack() {
            @Override
            SliceResult serve(Slice slice) {
                if (FakeStack.block(slice) == 2 && slice.variant().equals("nats")) {
                    countSquares("nats", -1);
                }
                return super.serve(slice);
            }
        });

        assertThat(reasons(results, "nats", 2)).containsExactly("399 calls reached the responder, but 400 were sent");
        assertThat(reasons(results, "nats", 1)).isEmpty();
        assertThat(reasons(results, "rest", 2)).isEmpty();
        assertThat(results.counts().agree()).isFalse();
        assertThat(results.valid()).isFalse();
    }

    /** The planted flaw: a reply comes twice. */
    @Test
    void doesNotCountTheSlicesOfAVariantOfWhichAReplyCameTwice() {
        Results results = measured(new FakeStack() {
            @Override
            SliceResult serve(Slice slice) {
                if (FakeStack.block(slice) == 1 && slice.variant().equals("rest")) {
                    countUnmatched("rest");
                }
                return super.serve(slice);
            }
        });

        assertThat(reasons(results, "rest", 1)).containsExactly("1 replies came late, twice or for no call");
        assertThat(reasons(results, "nats", 1)).isEmpty();
    }

    /** The planted flaw: one square is wrong, so its request is, too. */
    @Test
    void doesNotCountASliceWithAWrongAnswer() {
        Results results = measured(new FakeStack() {
            @Override
            SliceResult serve(Slice slice) {
                if (FakeStack.block(slice) != 2 || !slice.variant().equals("nats")) {
                    return super.serve(slice);
                }
                long right = slice.requests() - 1;
                count("nats", (double) right * CALLS + CALLS - 1);
                count("nats", "wrong", 1);
                return result(slice, right, Map.of("wrong", 1L));
            }
        });

        assertThat(reasons(results, "nats", 2))
                .containsExactly("1 of the requests failed (wrong: 1)", "1 calls ended as wrong");
        assertThat(cell(results, "nats").counted()).hasSize(BLOCKS.length - 1);
        assertThat(results.counts().agree()).isFalse();
    }

    /** The planted fault: somebody kills the generator while a slice of the third block is under way. */
    @Test
    void keepsTheWholeBlocksIfTheGeneratorDies() {
        stack = new FakeStack() {
            @Override
            public SliceResult result(Slice slice, Duration patience) {
                if (FakeStack.block(slice) == 3) {
                    throw new ProcessException("generator gave no result");
                }
                return super.result(slice, patience);
            }
        };
        Comparison dying = comparison(1);

        assertThatThrownBy(() -> dying.start(Map.of("", stack().target)))
                .isInstanceOf(ProcessException.class)
                .hasMessage("generator gave no result");

        Results written = ResultsFile.read(folder);
        assertThat(written.interrupted()).isTrue();
        assertThat(written.cells())
                .allSatisfy(cell -> assertThat(cell.slices())
                        .extracting(SliceFigures::block)
                        .containsExactly(1, 2));
        assertThat(dying.results().doubts()).contains("The run ended before its time. generator gave no result");
        assertThat(dying.results().counts().agree()).isFalse();
        assertThat(dying.results().valid()).isTrue();
    }

    /** A first block that did not come to its end is shown, because nothing else is known. */
    @Test
    void showsAFirstBlockThatDidNotComeToItsEnd() {
        Set<String> variants = new HashSet<>();
        stack = new FakeStack() {
            @Override
            public SliceResult result(Slice slice, Duration patience) {
                if (FakeStack.block(slice) == 1 && variants.add(slice.variant()) && variants.size() == 2) {
                    throw new ProcessException("generator gave no result");
                }
                return super.result(slice, patience);
            }
        };
        Comparison dying = comparison(1);

        assertThatThrownBy(() -> dying.start(Map.of("", stack().target))).isInstanceOf(ProcessException.class);

        Results results = dying.results();
        assertThat(results.cells())
                .singleElement()
                .satisfies(cell -> assertThat(cell.slices())
                        .singleElement()
                        .satisfies(slice ->
                                assertThat(slice.reasons()).containsExactly("its block did not come to its end")));
    }

    /** Otherwise its slices would have the fewest requests in the whole run, and could be ranked. */
    @Test
    void givesAVariantThatFailedItsFirstCalibrationAsManyRequestsAsTheSecondOneFinds() {
        Results results = measured(
                new FakeStack() {
                    @Override
                    SliceResult serve(Slice slice) {
                        return slice.variant().equals("nats")
                                ? result(slice, 0, Map.of("connect", 1L))
                                : super.serve(slice);
                    }
                },
                new FakeStack());

        Cell nats = cell(results, "nats");
        assertThat(nats.requestsPerSlice()).isEqualTo(40);
        assertThat(nats.slices())
                .extracting(SliceFigures::start, SliceFigures::block, SliceFigures::requests)
                .startsWith(tuple(1, 0, 0L), tuple(2, 1, 40L), tuple(2, 2, 40L))
                .hasSize(1 + BLOCKS.length);
        assertThat(nats.slices().get(0).reasons()).contains("no request was answered right");
        assertThat(cell(results, "rest").slices()).hasSize(2 * BLOCKS.length);
        assertThat(results.starts()).isEqualTo(2);
        assertThat(lines).anyMatch(line -> line.contains("nats") && line.contains("no request is answered right"));
    }

    @Test
    void keepsTheFirstStartIfTheSecondOneFails() {
        Comparison comparison = comparison(2);
        stack = new FakeStack();
        comparison.start(Map.of("", stack().target));
        stack = new FakeStack() {
            @Override
            public SliceResult result(Slice slice, Duration patience) {
                throw new ProcessException("generator gave no result");
            }
        };

        assertThatThrownBy(() -> comparison.start(Map.of("", stack().target))).isInstanceOf(ProcessException.class);

        comparison.write();
        Results results = undisturbed();
        assertThat(results.interrupted()).isTrue();
        assertThat(results.cells())
                .allSatisfy(cell -> assertThat(cell.counted()).hasSize(BLOCKS.length));
    }
}
