package dev.chatterbox.cli.compare;

import dev.chatterbox.brokers.ChildProcess;
import dev.chatterbox.brokers.JavaCommand;
import dev.chatterbox.brokers.Lifetime;
import dev.chatterbox.cli.CliException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Starts the load generator, one process for a whole schedule, so that its JIT is as warm as that of the services. */
final class Generator {

    private static final String MAIN = "io.gatling.app.Gatling";
    private static final String SIMULATION = "dev.chatterbox.load.ComparisonSimulation";

    private Generator() {}

    /**
     * @param stage names its files
     * @param loadTests the module's folder, built
     * @param folder the results folder: the plan and Gatling's own pages go to {@code gatling/}, its output to {@code logs/}
     */
    static ChildProcess start(
            String stage, List<Slot> slots, Preset preset, Target target, Path loadTests, Path folder) {
        Path gatling = folder.resolve("gatling");
        Path plan = gatling.resolve(stage + "-plan.json");
        try {
            Files.createDirectories(gatling);
            Files.writeString(plan, JsonMapper.shared().writeValueAsString(plan(slots, preset, target)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> arguments = List.of(
                "@" + loadTests.resolve("jvm.args"),
                "-Dchatterbox.plan=" + plan.toAbsolutePath(),
                "-cp",
                classPath(loadTests),
                MAIN,
                "-s",
                SIMULATION,
                "-rf",
                gatling.toAbsolutePath().toString(),
                "-rd",
                "chatterbox, " + stage);
        return ChildProcess.start(
                "generator",
                new ProcessBuilder(JavaCommand.of(arguments)).directory(folder.toFile()),
                folder.resolve("logs").resolve("generator-" + stage + ".log"),
                Lifetime.WITH_PARENT);
    }

    /** Its jar, the newest if several versions were built, and what that needs. */
    static String classPath(Path loadTests) {
        Path target = loadTests.resolve("target");
        try (Stream<Path> files = Files.isDirectory(target) ? Files.list(target) : Stream.empty()) {
            Path jar = files.filter(file -> file.getFileName().toString().matches("load-tests-.*\\.jar"))
                    .max(Comparator.comparing(file -> file.toFile().lastModified()))
                    .orElseThrow(() -> new CliException("load-tests is not built. Run: mvn -DskipTests package"));
            return jar + File.pathSeparator + target.resolve("lib").resolve("*");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Map<String, Object> plan(List<Slot> slots, Preset preset, Target target) {
        List<Map<String, Object>> cells = new ArrayList<>();
        for (Slot slot : slots) {
            Cell cell = slot.cell();
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("id", slot.id());
            entry.put("round", slot.round());
            entry.put("transport", cell.transport());
            entry.put("calls", cell.calls());
            if (cell.rate() != null) {
                entry.put("rate", cell.rate());
            } else if (cell.users() != null) {
                entry.put("users", cell.users());
            }
            if (preset.secondsOf(cell.calls()) != preset.secondsOf(Preset.ANY)) {
                entry.put("measureSeconds", preset.secondsOf(cell.calls()));
            }
            if (slot.first()) {
                entry.put("warmUp", preset.firstWarmUp());
            }
            cells.add(entry);
        }
        Map<String, Object> plan = new LinkedHashMap<>();
        plan.put("baseUrl", "http://127.0.0.1:" + target.aggregator().port());
        plan.put("warmUp", preset.warmUp());
        plan.put("measureSeconds", preset.secondsOf(Preset.ANY));
        plan.put("cells", cells);
        return plan;
    }
}
