package dev.chatterbox.comparison;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * The load generator, one process for a whole schedule, so that its JIT is as warm as that of the services. It tells
 * what it does on its output ({@link Events}), and is answered in a file.
 */
final class Generator {

    private static final String MAIN = "io.gatling.app.Gatling";
    private static final String SIMULATION = "dev.chatterbox.load.ComparisonSimulation";

    private final ChildProcess process;
    private final Path answers;

    private Generator(ChildProcess process, Path answers) {
        this.process = process;
        this.answers = answers;
    }

    ChildProcess process() {
        return process;
    }

    /** The slot's warm-up may end. */
    void warm(Slot slot) {
        answer("warm " + slot.id());
    }

    /** The slot is dealt with; the next one may begin. */
    void next(Slot slot) {
        answer("next " + slot.id());
    }

    private void answer(String line) {
        try {
            Files.writeString(answers, line + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts it.
     *
     * @param stage names its files
     * @param loadTests the module's folder, built
     * @param folder the results folder: the plan and Gatling's own pages go to {@code gatling/}, its output to
     *     {@code logs/}
     */
    static Generator start(String stage, List<Slot> slots, Preset preset, Target target, Path loadTests, Path folder) {
        Path gatling = folder.resolve("gatling");
        Path plan = gatling.resolve(stage + "-plan.json");
        Path answers = gatling.resolve(stage + "-answers");
        try {
            Files.createDirectories(gatling);
            Files.writeString(plan, JsonMapper.shared().writeValueAsString(plan(slots, preset, target, answers)));
            Files.writeString(answers, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> arguments = List.of(
                "@" + loadTests.resolve("jvm.args"),
                "-Dchatterbox.plan=" + plan.toAbsolutePath(),
                // In seconds: Gatling prints its own progress, that of all slots each time, which nobody reads here.
                "-Dgatling.data.console.writePeriod=60",
                "-cp",
                classPath(loadTests),
                MAIN,
                "-s",
                SIMULATION,
                "-rf",
                gatling.toAbsolutePath().toString(),
                "-rd",
                "chatterbox, " + stage);
        ChildProcess process = ChildProcess.start(
                "generator",
                new ProcessBuilder(JavaCommand.of(arguments)).directory(folder.toFile()),
                folder.resolve("logs").resolve("generator-" + stage + ".log"),
                Lifetime.WITH_PARENT);
        return new Generator(process, answers);
    }

    /** Its jar, the newest if several versions were built, and what that needs. */
    static String classPath(Path loadTests) {
        Path target = loadTests.resolve("target");
        try (Stream<Path> files = Files.isDirectory(target) ? Files.list(target) : Stream.empty()) {
            Path jar = files.filter(file -> file.getFileName().toString().matches("load-tests-.*\\.jar"))
                    .max(Comparator.comparing(file -> file.toFile().lastModified()))
                    .orElseThrow(
                            () -> new ComparisonException("load-tests is not built. Run: mvn -DskipTests package"));
            return jar + File.pathSeparator + target.resolve("lib").resolve("*");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As load-tests' {@code LoadPlan} has it: a step for each slot. */
    static Map<String, Object> plan(List<Slot> slots, Preset preset, Target target, Path answers) {
        double seconds = preset.timing().windowSeconds();
        WarmUpBounds warmUp = preset.timing().warmUp();
        List<Map<String, Object>> steps = new ArrayList<>();
        for (Slot slot : slots) {
            Map<String, Object> step = new LinkedHashMap<>();
            step.put("id", slot.id());
            step.put("row", slot.cell().row());
            step.put("workload", slot.cell().offered().toString());
            if (slot.seconds() != seconds) {
                step.put("measureSeconds", slot.seconds());
            }
            if (!slot.warmUp().equals(warmUp)) {
                step.put("warmUp", slot.warmUp().rule());
            }
            steps.add(step);
        }
        Map<String, Object> plan = new LinkedHashMap<>();
        plan.put("baseUrl", "http://127.0.0.1:" + target.aggregator().port());
        plan.put("answers", answers.toAbsolutePath().toString());
        plan.put("warmUp", warmUp.rule());
        plan.put("measureSeconds", seconds);
        plan.put("steps", steps);
        return plan;
    }
}
