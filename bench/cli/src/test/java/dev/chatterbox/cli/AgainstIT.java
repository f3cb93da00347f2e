package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.report.Against;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.stack.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares this checkout with a base, which is a folder with the same services: two stacks run at the same time. */
@Tag("long")
class AgainstIT {

    private static final Set<String> NOT_OF_THE_BASE = Set.of("chatterbox", ".chatterbox", ".git");

    private final Repository repository = Commands.builtCheckout();
    private final Commands commands = new Commands(repository);

    @TempDir
    Path directory;

    @Test
    void warmsUpAndMeasuresTwoStacksAtTheSameTime() throws IOException {
        Path base = base();
        Path out = directory.resolve("results");
        int offset = commands.freeOffset();

        Result result = commands.run(
                "compare",
                "--against",
                base.toString(),
                "--transports",
                "rest",
                "--starts",
                "1",
                "--calls",
                "10",
                "--blocks",
                "8",
                "--time",
                "20s",
                "--fail-above",
                "900",
                "--port-offset",
                Integer.toString(offset),
                "--out",
                out.toString());

        Results results = ResultsFile.read(out);
        assertThat(result.output()).contains("This stack against the base", "report.html");
        assertThat(out.resolve("logs/progress.log")).content().contains("warm-up  rest", "rehearsal  JIT of rest");
        assertThat(results.counts().agree()).isTrue();
        assertThat(results.cells()).extracting(Cell::side).containsExactlyInAnyOrder(Against.BASE, Against.THIS);
        assertThat(results.cells()).allSatisfy(cell -> {
            assertThat(cell.valid()).isTrue();
            assertThat(cell.slices()).hasSizeGreaterThanOrEqualTo(4).allSatisfy(slice -> {
                assertThat(slice.requests()).isEqualTo(cell.requestsPerSlice());
                assertThat(slice.systemNanos()).isPositive();
            });
        });
        assertThat(Against.of(results).ratios())
                .singleElement()
                .satisfies(ratio -> assertThat(ratio.cpu().value()).isBetween(0.2, 5.0));
        // Ranks are valid only on a machine whose JIT compilers finish in time.
        assertThat(result.exitCode())
                .as(result.output())
                .isEqualTo(Against.of(results).valid() ? ExitCode.OK : ExitCode.FAILED);
        assertThat(Commands.processes())
                .noneMatch(line -> line.contains(base.toString()))
                .noneMatch(line ->
                        line.contains(repository.stack(offset).directory().toString()));
        repository.stack(offset).clear();
    }

    /** A second root with everything from this checkout, so that its stack has its own files. It needs no build. */
    private Path base() throws IOException {
        Path base = Files.createDirectory(directory.resolve("base"));
        try (Stream<Path> entries = Files.list(repository.root())) {
            List<Path> links = entries.filter(entry ->
                            !NOT_OF_THE_BASE.contains(entry.getFileName().toString()))
                    .toList();
            for (Path entry : links) {
                Files.createSymbolicLink(base.resolve(entry.getFileName()), entry);
            }
        }
        Path script = base.resolve("chatterbox");
        Files.writeString(script, "#!/bin/sh\nexit %d\n".formatted(ExitCode.WRONG_USAGE));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return base;
    }
}
