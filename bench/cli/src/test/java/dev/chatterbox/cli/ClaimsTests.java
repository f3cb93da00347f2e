package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.comparison.Preset;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.FakeRepository;
import dev.chatterbox.stack.Repository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Two claims, each with a run of its own, over comparisons that measure nothing. */
class ClaimsTests {

    @TempDir
    Path root;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<String> compared = new ArrayList<>();

    /** What becomes of the next comparison with a preset; one that is not named succeeds. */
    private final Map<String, Claims.Comparing> outcomes = new HashMap<>();

    private Repository repository;
    private Path folder;

    @BeforeEach
    void create() throws IOException {
        repository = FakeRepository.create(root);
        folder = root.resolve("out");
        for (String run : List.of("first", "second")) {
            write(
                    "presets/%s.properties".formatted(run),
                    "workload=unary calls=10 users=1\ntime=1m\nvariants=one,two\n");
        }
        write("claims/1.1.properties", claim("first"));
        write("claims/1.2.properties", claim("second"));
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve("bench/workloads").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static String claim(String run) {
        return """
                source=a blog
                systems=one, two
                claim=one is twice as fast
                conditions=none
                class=A
                hypothesis=none
                run=%s
                workloads=unary calls=10 users=1
                measure=cpu
                ratio=2
                published=one two
                repaired=one two
                setting=none
                """.formatted(run);
    }

    @Test
    void measuresEachRunOnceWhereAllSucceed() {
        assertThat(claims()).as(output()).isZero();

        assertThat(compared).containsExactly("first [one, two] first", "second [one, two] second");
        assertThat(folder.resolve("claims.md")).isNotEmptyFile();
    }

    /** It has results, and no sign in them that it failed. */
    @Test
    void aRunWhoseComparisonFailedIsNotMeasured() throws IOException {
        outcomes.put("first", (preset, variants, at) -> {
            new MeasuredResults(variants).write(at);
            return ExitCode.FAILED;
        });

        assertThat(claims()).isOne();
        assertThat(output()).contains("Not measured: first. To repeat that: ./chatterbox claims --out " + folder);
        assertThat(Files.readString(folder.resolve("claims.md"))).contains("No run of it came to its end.");
    }

    @Test
    void aFolderThatIsThereIsContinuedWithWhatDidNotEndOrIsNotValidAndNothingElse() {
        outcomes.put("first", (preset, variants, at) -> {
            new MeasuredResults(variants).invalid().write(at);
            return ExitCode.FAILED;
        });
        assertThat(claims()).isOne();
        compared.clear();
        outcomes.put("first", (preset, variants, at) -> {
            new MeasuredResults(variants).interrupted().write(at);
            return ExitCode.FAILED;
        });
        assertThat(claims()).isOne();
        assertThat(compared).containsExactly("first [one, two] first-2");
        compared.clear();

        outcomes.clear();
        assertThat(claims()).as(output()).isZero();

        assertThat(compared).containsExactly("first [one, two] first-3");
        assertThat(output()).contains("second is measured already.");
    }

    @Test
    void goesOnWithTheOtherRunsAfterOneThatCannotBeMade() {
        outcomes.put("first", (preset, variants, at) -> {
            throw new ProcessException("The generator is gone.");
        });

        assertThat(claims()).isOne();

        assertThat(compared).hasSize(2);
        assertThat(output()).contains("The generator is gone.", "Not measured: first.");
    }

    private int compare(Preset preset, List<String> variants, Path at) throws IOException {
        compared.add("%s %s %s".formatted(preset.name(), variants, at.getFileName()));
        Claims.Comparing outcome = outcomes.get(preset.name());
        if (outcome != null) {
            return outcome.compare(preset, variants, at);
        }
        new MeasuredResults(variants).write(at);
        return ExitCode.OK;
    }

    private int claims(String... arguments) {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--out", folder.toString()));
        return new CommandLine(new Claims(repository, new Terminal(stream, stream, false, false), this::compare))
                .execute(all.toArray(String[]::new));
    }

    private String output() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
