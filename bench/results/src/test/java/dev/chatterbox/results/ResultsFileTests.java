package dev.chatterbox.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultsFileTests {

    @TempDir
    Path folder;

    private static String schemaOne() {
        try (InputStream file = ResultsFileTests.class.getResourceAsStream("/results/schema-1.json")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theFirstSchemaTakesItsOldMeaning() {
        Results results = ResultsFile.read(schemaOne());
        assertThat(results.schema()).isEqualTo(ResultsFile.SCHEMA);
        Cell cell =
                results.cell("able", Workload.parse("unary calls=1 users=10")).orElseThrow();
        assertThat(cell.kind()).isEqualTo("broker");
        assertThat(cell.rounds()).hasSize(3).allMatch(Round::valid);
        assertThat(cell.rounds().get(1).figures().cpuSystem())
                .as("without the generator")
                .isEqualTo(141);
        assertThat(cell.rounds().get(1).figures().cpu()).containsOnlyKeys(Role.ALL);
        assertThat(cell.rounds().get(1).figures().requestLatency().p99()).isEqualTo(0.021);
        assertThat(cell.median().cpuSystem()).isEqualTo(140);
        assertThat(cell.median().callLatency()).isEqualTo(Latency.NONE);
        assertThat(results.environment().settings().rows().get("baker").settings())
                .containsEntry("delivery", "stored");
    }

    @Test
    void theSecondSchemaLosesTheGeneratorFromItsSums() {
        Results results = ResultsFile.read("""
                {"schema": "chatterbox-results/2",
                 "cells": [{"row": "able", "workload": "unary calls=1 users=1", "valid": true,
                   "rounds": [
                     {"round": 1, "valid": true, "figures": {"cpu": {"generator": 50, "aggregator": 9, "responder": 1}, "cpuTotal": 60}},
                     {"round": 2, "valid": true, "figures": {"cpu": {"generator": 10, "aggregator": 10, "responder": 2}, "cpuTotal": 22}},
                     {"round": 3, "valid": false, "figures": {"cpu": {"generator": 10, "aggregator": 99, "responder": 1}, "cpuTotal": 110}},
                     {"round": 4, "valid": true, "figures": {"cpu": {"generator": 10, "aggregator": 7, "responder": null}, "cpuTotal": null}}],
                   "median": {"cpu": {"generator": 10, "aggregator": 9, "responder": 1}, "cpuTotal": 41},
                   "spread": {"requestsPerSecond": 0.5, "cpuTotal": 0.93}}],
                 "rawLimits": [{"row": "able", "valid": true, "rounds": [{"cpu": {"client": 2, "responder": 1}, "cpuTotal": 3}],
                   "median": {"cpu": {"client": 2, "responder": 1}, "cpuTotal": 3}}]}""");

        assertThat(results.schema()).isEqualTo(ResultsFile.SCHEMA);
        Cell cell = results.cells().get(0);
        assertThat(cell.rounds().stream().map(round -> round.figures().cpuSystem()))
                .containsExactly(10.0, 12.0, 100.0, null);
        assertThat(cell.median().cpuSystem()).as("of the valid rounds").isEqualTo(11);
        assertThat(cell.spread()).isEqualTo(new Cell.Spread(0.5, 2 / 11.0, null, null));
        assertThat(cell.notRanked()).isEqualTo(Cell.NotRanked.NOTHING);
        assertThat(results.rawLimits().get(0).median().cpuSystem()).isEqualTo(3);
        assertThat(ResultsFile.write(results)).doesNotContain("cpuTotal");
    }

    @Test
    void theOpenModelOfTheFirstSchemaIsReadByShareOrByRate() {
        String cell = """
                {"schema": "chatterbox-results/1", "cells": [{"transport": "able", "model": "open", "calls": 10, "rate": 63.2%s}]}""";
        Cell share = ResultsFile.read(cell.formatted(", \"load\": 0.7")).cells().get(0);
        assertThat(share.workload()).hasToString("unary calls=10 rate=70%");
        assertThat(share.arrivalRate()).isEqualTo(63.2);
        assertThat(ResultsFile.read(cell.formatted("")).cells().get(0).workload())
                .hasToString("unary calls=10 rate=63.2");
    }

    @Test
    void whatIsWrittenIsReadBackAsTheSame() {
        Results results = ResultsFile.read(schemaOne());
        String written = ResultsFile.write(results);
        assertThat(written).contains("\"workload\" : \"unary calls=1 users=10\"");
        assertThat(ResultsFile.read(written)).isEqualTo(results);
    }

    @Test
    void whatAFileDoesNotTellIsEmpty() {
        Results results = ResultsFile.read("{\"schema\": \"%s\", \"name\": \"quick\"}".formatted(ResultsFile.SCHEMA));
        assertThat(results.cells()).isEmpty();
        assertThat(results.environment()).isEqualTo(Environment.NONE);
        assertThat(results.measuredNothing()).isTrue();
    }

    @Test
    void whatAnOlderFileLacksIsNotKnown() {
        Results results = ResultsFile.read("""
                {"schema": "chatterbox-results/1", "environment": {"settings": {}},
                 "cells": [{"transport": "able", "model": "open", "calls": 1, "load": 0.5, "rounds": [{"round": 1}]}],
                 "rawLimits": [{"transport": "able", "rounds": [{}]}]}""");
        assertThat(results.cells().get(0).arrivalRate()).isNull();
        assertThat(results.cells().get(0).rounds().get(0).figures()).isEqualTo(Figures.NONE);
        assertThat(results.rawLimits().get(0).spread()).isNull();
        assertThat(results.rawLimits().get(0).median().callsPerSecond()).isNull();
        assertThat(ResultsFile.read(
                                "{\"schema\": \"%s\", \"cells\": [{\"workload\": \"calls=1 users=1\", \"rounds\": [{}]}]}"
                                        .formatted(ResultsFile.SCHEMA))
                        .cells()
                        .get(0)
                        .rounds()
                        .get(0)
                        .window()
                        .requests())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{} | is no result of ./chatterbox compare",
                "{'schema': 'chatterbox-results/9'} | has the schema chatterbox-results/9, and this version reads up to",
                "{'schema' | is not readable",
                "{'schema': 'chatterbox-results/3', 'cells': [{'workload': 'soon'}]} | no exchange 'soon'",
            })
    void saysWhatIsWrongWithAFile(String json, String message) throws IOException {
        Path file = Files.writeString(folder.resolve(ResultsFile.NAME), json.replace('\'', '"'));
        assertThatThrownBy(() -> ResultsFile.read(folder))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(message);
    }

    @Test
    void saysThatThereIsNoFile() {
        assertThatThrownBy(() -> ResultsFile.read(folder))
                .hasMessage("There is no " + folder.resolve("results.json") + ".");
    }
}
