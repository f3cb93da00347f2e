package dev.chatterbox.cli;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;

/** Made-up results of a comparison, of one workload and with the flaws that a test needs. Nothing here was measured. */
final class MeasuredResults {

    static final Workload WORKLOAD = Workload.parse("unary calls=10 users=1");

    private final Collection<String> variants;
    private boolean interrupted;
    private Boolean dirty = false;
    private List<String> reasons = List.of();
    private List<String> doubts = List.of();
    private boolean agree = true;

    MeasuredResults(Collection<String> variants) {
        this.variants = variants;
    }

    MeasuredResults interrupted() {
        interrupted = true;
        return this;
    }

    MeasuredResults dirty() {
        dirty = true;
        return this;
    }

    MeasuredResults invalid() {
        reasons = List.of("1 of the requests failed");
        return this;
    }

    MeasuredResults disagreeing() {
        agree = false;
        return this;
    }

    MeasuredResults doubted(String doubt) {
        doubts = List.of(doubt);
        return this;
    }

    /** Writes them into a folder, which it makes. */
    Path write(Path folder) throws IOException {
        Results results = new Results(
                ResultsFile.SCHEMA,
                "made-up",
                "./chatterbox compare --preset made-up",
                Instant.EPOCH,
                Instant.EPOCH,
                interrupted,
                1,
                1,
                new Environment(JsonMapper.shared()
                        .valueToTree(
                                dirty == null
                                        ? Map.of()
                                        : Map.of("git", Map.of("revision", "abc1234", "dirty", dirty)))),
                Map.of(),
                Map.of(),
                variants.stream().map(this::cell).toList(),
                new Counts(1, Map.of(), Map.of(), Map.of(), Map.of(), agree),
                List.of(),
                List.of());
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(ResultsFile.NAME), ResultsFile.write(results));
        return folder;
    }

    private Cell cell(String variant) {
        return new Cell(
                variant,
                null,
                false,
                "direct",
                WORKLOAD,
                100,
                0,
                IntStream.rangeClosed(1, 8).mapToObj(this::slice).toList(),
                Latency.NONE,
                Map.of(),
                null,
                doubts,
                null);
    }

    private SliceFigures slice(int block) {
        return new SliceFigures(
                1,
                block,
                0.5,
                100,
                1000,
                Map.of(Role.AGGREGATOR, 5_000_000L + 1000 * block),
                0,
                0.1,
                false,
                Map.of(),
                reasons);
    }
}
