package dev.chatterbox.comparison.environment;

import com.sun.management.OperatingSystemMXBean;
import dev.chatterbox.comparison.counts.Prometheus;
import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.comparison.testbed.Target;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Role;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Finds out where and with what something is measured. What cannot be found out is left out. */
public final class EnvironmentProbe {

    private static final JsonMapper JSON = JsonMapper.shared();

    private EnvironmentProbe() {}

    /**
     * @param loadTests the folder of the generator
     * @param checkout the checkout whose revision is reported
     */
    public static Environment of(Target target, Path loadTests, Path checkout) {
        return new Environment(
                machine(),
                java(target, loadTests),
                versions(target, loadTests),
                git(checkout),
                settings(
                        get(target.aggregator().first().port(), "/transports"),
                        get(target.aggregator().first().port(), "/actuator/info"),
                        target.rows()),
                Footprints.of(target));
    }

    /** Of a system that this program did not start, whose machines nobody can look at from here. */
    public static Environment of(Deployment deployment, Path checkout) {
        Map<String, String> versions = new TreeMap<>();
        deployment.info().at("/build/version").asStringOpt().ifPresent(version -> versions.put("chatterbox", version));
        return new Environment(
                Environment.NONE.machine(),
                Environment.NONE.java(),
                versions,
                git(checkout),
                settings(deployment.transports(), deployment.info(), List.of()),
                Map.of());
    }

    private static Environment.Machine machine() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Environment.Machine(
                "%s %s %s".formatted(system.getName(), system.getVersion(), system.getArch()),
                cpu().orElse(system.getArch()),
                system.getAvailableProcessors(),
                system.getTotalMemorySize(),
                system.getSystemLoadAverage());
    }

    private static Optional<String> cpu() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException noLinux) {
            return Optional.empty();
        }
    }

    private static Environment.Java java(Target target, Path loadTests) {
        Map<String, String> flagsByProcess = new TreeMap<>();
        for (Target.Process process : target.processes()) {
            flags(process.pid()).ifPresent(flags -> flagsByProcess.put(process.name(), flags));
        }
        generatorFlags(loadTests).ifPresent(flags -> flagsByProcess.put(Role.GENERATOR, flags));
        try {
            // A running stack may have been started with another Java than this program.
            Optional<Prometheus.Sample> info = Prometheus.parse(LocalHttp.get(
                                    target.aggregator().first().port(), "/actuator/prometheus?includedNames=jvm_info")
                            .body())
                    .named("jvm_info")
                    .findFirst();
            if (info.isPresent()) {
                return new Environment.Java(
                        info.get().label("version"), info.get().label("vendor"), flagsByProcess);
            }
        } catch (IOException e) {
            // Then the aggregator very likely runs on this program's Java.
        }
        return new Environment.Java(
                System.getProperty("java.version"), System.getProperty("java.vendor"), flagsByProcess);
    }

    /** The flags of the file that the generator's command line names. */
    private static Optional<String> generatorFlags(Path loadTests) {
        try (Stream<String> lines = Files.lines(loadTests.resolve("jvm.args"))) {
            return Optional.of(lines.filter(line -> line.startsWith("-")).collect(Collectors.joining(" ")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The flags of a Java process: what stands before the program in its command line, without the process's name. */
    private static Optional<String> flags(long pid) {
        List<String> flags = new ArrayList<>();
        for (String argument : arguments(pid)) {
            if (argument.equals("-jar") || argument.equals("-cp")) {
                return Optional.of(String.join(" ", flags)).filter(joined -> !joined.isEmpty());
            }
            if (!argument.startsWith("-Dchatterbox.process=")) {
                flags.add(argument);
            }
        }
        return Optional.empty();
    }

    /** The arguments of a process, without the program; empty if they cannot be read. */
    static List<String> arguments(long pid) {
        try {
            // ProcessHandle gives up on command lines longer than a page, such as one with a broker's class path.
            String[] commandLine = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"))
                    .split("\0");
            return List.of(commandLine).subList(1, commandLine.length);
        } catch (IOException noLinux) {
            return ProcessHandle.of(pid)
                    .flatMap(process -> process.info().arguments())
                    .map(List::of)
                    .orElse(List.of());
        }
    }

    /** The versions of brokers, of Gatling, of libraries that all services share, and of libraries of one responder. */
    private static Map<String, String> versions(Target target, Path loadTests) {
        Map<String, String> versions = new TreeMap<>();
        target.rows().stream()
                .flatMap(row -> row.brokers().stream())
                .distinct()
                .forEach(broker -> brokerVersion(broker).ifPresent(version -> versions.put(broker.name(), version)));
        get(target.aggregator().first().port(), "/actuator/info")
                .path("build")
                .path("version")
                .asStringOpt()
                .ifPresent(version -> versions.put("chatterbox", version));
        versions.putAll(Libraries.ofServices(target));
        versions.putAll(Libraries.in(loadTests.resolve("target/lib"), List.of("gatling-core")));
        return versions;
    }

    /**
     * The version of a broker. If it runs in Java, this is the version of the jar with its name on its class path. If
     * not, the program itself reports it.
     */
    private static Optional<String> brokerVersion(Target.Process broker) {
        String program = ProcessHandle.of(broker.pid())
                .flatMap(process -> process.info().command())
                .orElse("");
        if (!Path.of(program).endsWith("java")) {
            return program.isEmpty() ? Optional.empty() : output(Path.of("").toAbsolutePath(), program, "--version");
        }
        return arguments(broker.pid()).stream()
                .flatMap(argument -> Stream.of(argument.split(File.pathSeparator)))
                .map(entry -> Libraries.versions(List.of(entry)))
                .flatMap(entry -> entry.entrySet().stream())
                .filter(entry -> entry.getKey().matches(Pattern.quote(broker.name()) + "(_.*)?"))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static Environment.Git git(Path checkout) {
        Revision revision = Revision.of(checkout);
        return new Environment.Git(revision.commit(), revision.dirty());
    }

    private static Environment.Settings settings(JsonNode transports, JsonNode info, List<Target.RowTarget> targets) {
        Map<String, Environment.RowSettings> rows = new TreeMap<>();
        for (JsonNode row : transports.values()) {
            String name = row.path("name").asString("");
            Map<String, Object> settings = new LinkedHashMap<>(map(row.path("settings")));
            targets.stream()
                    .filter(target -> target.row().name().equals(name))
                    .flatMap(target -> target.leaders().stream())
                    .forEach(leaders -> settings.put("leaders", leaders));
            rows.put(name, row(row, settings));
        }
        return new Environment.Settings(map(info.path("chatterbox").path("fanOut")), rows);
    }

    private static Environment.RowSettings row(JsonNode row, Map<String, Object> settings) {
        return new Environment.RowSettings(
                row.path("name").asString(""),
                row.path("kind").asString(null),
                row.path("state").asString(null),
                row.path("about").asString(null),
                row.path("exchanges").values().stream()
                        .map(exchange -> exchange.asString(""))
                        .toList(),
                row.path("responder").asString(null),
                row.path("broker").asString(null),
                settings);
    }

    private static Map<String, Object> map(JsonNode node) {
        return node.isObject() ? JSON.convertValue(node, new TypeReference<>() {}) : Map.of();
    }

    private static JsonNode get(int port, String path) {
        try {
            return JSON.readTree(LocalHttp.get(port, path).body());
        } catch (IOException | JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    static Optional<String> output(Path folder, String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? Optional.of(output) : Optional.empty();
        } catch (IOException noGit) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
