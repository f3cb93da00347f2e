package dev.chatterbox.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ResultsFileTests {

    @TempDir
    Path folder;

    private static Results results() {
        SliceFigures slice = new SliceFigures(
                1,
                1,
                0.5,
                100,
                10_000,
                Map.of(Role.AGGREGATOR, 12_345_678_901L),
                17,
                0.3,
                true,
                Map.of(Role.AGGREGATOR, 1L << 33),
                List.of());
        SliceFigures open =
                new SliceFigures(2, 1, 0.5, 100, 10_000, Map.of(), 17, 0.3, false, Map.of(), List.of("a reason"));
        Cell cell = new Cell(
                "nats",
                null,
                false,
                "broker",
                RankingTests.WORKLOAD,
                100,
                0,
                List.of(slice, open),
                new Latency(0.1, 0.2, null, null, null, 0.3, 0.25),
                Map.of(Role.AGGREGATOR, 300L),
                1_024.5,
                List.of("a doubt"),
                QueueFigures.sum(List.of(QueueFiguresTests.slice("no-progress", 20, 7, 0.009)), List.of()));
        Cell side = new Cell(
                "nats",
                "base",
                true,
                "broker",
                RankingTests.WORKLOAD,
                1,
                256,
                List.of(),
                Latency.NONE,
                Map.of(),
                null,
                List.of(),
                null);
        return new Results(
                ResultsFile.SCHEMA,
                "quick",
                "./chatterbox",
                Instant.parse("2026-11-23T10:00:00Z"),
                Instant.parse("2026-11-23T10:05:00.25Z"),
                false,
                4711,
                2,
                Environment.NONE,
                Map.of("nats", 0.003),
                Map.of("nats", new Results.ProcessFigures(1.5, 0.5, 0, 0, 0.004, 1L << 30, null)),
                List.of(cell, side),
                new Counts(
                        100,
                        Map.of("nats", 10_000L),
                        Map.of("nats", 10_000L),
                        Map.of("responder", 10_000L),
                        Map.of("responder", 6_000L, "responder-2", 4_000L),
                        true),
                List.of(new RoundTrip("nats", 5, 0.005)),
                List.of("of the run"));
    }

    @Test
    void readsWhatItWrote() throws IOException {
        Files.writeString(folder.resolve(ResultsFile.NAME), ResultsFile.write(results()));

        assertThat(ResultsFile.read(folder)).isEqualTo(results());
        assertThat(ResultsFile.read(folder.resolve(ResultsFile.NAME))).isEqualTo(results());
    }

    @Test
    void writesAWorkloadAsItsTextAndNoSideWhereThereIsOneStack() {
        assertThat(tree().path("cells").path(0).path("workload").asString("")).isEqualTo("unary calls=100 users=25");
        assertThat(tree().path("cells").path(0).has("side")).isFalse();
        assertThat(tree().path("cells").path(1).has("queue")).isFalse();
        assertThat(tree().path("cells").path(1).path("side").asString("")).isEqualTo("base");
    }

    @Test
    void refusesAnOlderSchemaWithASentence() throws IOException {
        Path file = Files.writeString(folder.resolve("old.json"), "{\"schema\":\"chatterbox-results/7\",\"cells\":[]}");

        assertThatThrownBy(() -> ResultsFile.read(file))
                .isInstanceOf(ResultsException.class)
                .hasMessage(
                        "%s has the schema chatterbox-results/7, and this version reads %s alone: use the version that wrote it, or measure again.",
                        file, ResultsFile.SCHEMA);
    }

    @ParameterizedTest
    @CsvSource({
        "cells, it has no 'cells'",
        "counts, it has no 'counts'",
        "workload, a cell has no 'workload'",
        "slices, a cell has no 'slices'",
        "cpuNanos, a slice has no 'cpuNanos'"
    })
    void saysWhichPartAFileLacks(String part, String message) throws IOException {
        Path file = Files.writeString(
                folder.resolve("part.json"), ResultsFile.write(results()).replace('"' + part + '"', "\"other\""));

        assertThatThrownBy(() -> ResultsFile.read(file))
                .isInstanceOf(ResultsException.class)
                .hasMessage("%s is no whole result: %s.", file, message);
    }

    @Test
    void saysWhatIsWrongWithAFile() throws IOException {
        assertThatThrownBy(() -> ResultsFile.read(folder))
                .isInstanceOf(ResultsException.class)
                .hasMessage("There is no " + folder.resolve(ResultsFile.NAME) + ".");
        Path other = Files.writeString(folder.resolve("other.json"), "{\"name\":1}");
        assertThatThrownBy(() -> ResultsFile.read(other)).hasMessageContaining("it names no schema");
        Path none = Files.writeString(folder.resolve("none.json"), "{\"name\":");
        assertThatThrownBy(() -> ResultsFile.read(none)).hasMessageContaining("is not readable");
    }

    private static JsonNode tree() {
        return JsonMapper.shared().readTree(ResultsFile.write(results()));
    }
}
