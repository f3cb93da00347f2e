package dev.chatterbox.comparison;

import com.sun.management.OperatingSystemMXBean;
import dev.chatterbox.cli.Http;
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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Where and with what a comparison was made: what another one must be like for their figures to be compared. */
final class Environment {

    private static final JsonMapper JSON = JsonMapper.shared();

    private Environment() {}

    /**
     * @param root the checkout
     * @param faults see {@link #faults}
     */
    static Map<String, Object> of(Target target, Path root, Map<String, JsonNode> faults) {
        Map<String, Object> environment = new LinkedHashMap<>();
        environment.put("machine", machine());
        environment.put("java", java(target, root));
        environment.put("versions", versions(target, root));
        environment.put("git", git(root));
        environment.put("settings", settings(target));
        environment.put("faults", faults);
        return environment;
    }

    /** What the responders do wrong on demand, by transport; only those that do. */
    static Map<String, JsonNode> faults(Target target) {
        Map<String, JsonNode> faults = new TreeMap<>();
        for (Target.Transport transport : target.transports()) {
            JsonNode all = get(transport.responder().port(), "/actuator/info")
                    .path("chatterbox")
                    .path("faults");
            if (all.values().stream().anyMatch(Environment::isOn)) {
                faults.put(transport.name(), all);
            }
        }
        return faults;
    }

    private static boolean isOn(JsonNode fault) {
        return fault.isNumber()
                ? fault.doubleValue() != 0
                : !fault.asString("").isEmpty() && !fault.asString("").equals("PT0S");
    }

    /** {@code delay PT0.02S, drop 0.01}. */
    static String words(JsonNode faults) {
        return String.join(
                ", ",
                faults.properties().stream()
                        .filter(fault -> isOn(fault.getValue()))
                        .map(fault -> fault.getKey() + " " + fault.getValue().asString(""))
                        .toList());
    }

    private static Map<String, Object> machine() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("os", "%s %s %s".formatted(system.getName(), system.getVersion(), system.getArch()));
        machine.put("cpu", cpu().orElse(system.getArch()));
        machine.put("cores", system.getAvailableProcessors());
        machine.put("memoryBytes", system.getTotalMemorySize());
        machine.put("loadAverageAtStart", Statistics.rounded(system.getSystemLoadAverage()));
        return machine;
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

    private static Map<String, Object> java(Target target, Path root) {
        Map<String, Object> java = new LinkedHashMap<>();
        java.put("version", System.getProperty("java.version"));
        java.put("vendor", System.getProperty("java.vendor"));
        try {
            // A running stack may have been started with another Java than this program.
            Prometheus.parse(Http.get(target.aggregator().port(), "/actuator/prometheus?includedNames=jvm_info")
                            .body())
                    .named("jvm_info")
                    .findFirst()
                    .ifPresent(info -> {
                        java.put("version", info.label("version"));
                        java.put("vendor", info.label("vendor"));
                    });
        } catch (IOException e) {
            // Then it is very likely this one.
        }
        Map<String, String> flags = new TreeMap<>();
        for (Target.Process process : target.processes()) {
            flags(process.pid()).ifPresent(words -> flags.put(process.name(), words));
        }
        generatorFlags(root).ifPresent(words -> flags.put(Stage.GENERATOR, words));
        java.put("flags", flags);
        return java;
    }

    /** The file that its command line names. */
    private static Optional<String> generatorFlags(Path root) {
        try (Stream<String> lines = Files.lines(root.resolve("load-tests/jvm.args"))) {
            return Optional.of(lines.filter(line -> line.startsWith("-")).collect(Collectors.joining(" ")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** What stands before the program in a command line of Java. */
    private static Optional<String> flags(long pid) {
        List<String> flags = new ArrayList<>();
        for (String argument : arguments(pid)) {
            if (argument.equals("-jar") || argument.equals("-cp")) {
                return Optional.of(String.join(" ", flags)).filter(words -> !words.isEmpty());
            }
            flags.add(argument);
        }
        return Optional.empty();
    }

    /** Those of a process, without the program; none if they cannot be told. */
    private static List<String> arguments(long pid) {
        try {
            // Java's ProcessHandle gives up on command lines of more than a page, such as one with a broker's class
            // path.
            String[] words = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"))
                    .split("\0");
            return List.of(words).subList(1, words.length);
        } catch (IOException noLinux) {
            return ProcessHandle.of(pid)
                    .flatMap(process -> process.info().arguments())
                    .map(List::of)
                    .orElse(List.of());
        }
    }

    /** The brokers, Gatling, what all services share, and what only one responder has: its transport's libraries. */
    private static Map<String, String> versions(Target target, Path root) {
        Map<String, String> versions = new TreeMap<>();
        target.transports().stream()
                .flatMap(transport -> transport.broker().stream())
                .forEach(broker ->
                        brokerVersion(root, broker).ifPresent(version -> versions.put(broker.name(), version)));
        get(target.aggregator().port(), "/actuator/info")
                .path("build")
                .path("version")
                .asStringOpt()
                .ifPresent(version -> versions.put("chatterbox", version));
        versions.putAll(Libraries.ofServices(target));
        versions.putAll(Libraries.in(root.resolve("load-tests/target/lib"), List.of("gatling-core")));
        return versions;
    }

    /** Of a broker that runs in Java: that of the jar on its class path that bears its name. Else what the program says. */
    private static Optional<String> brokerVersion(Path root, Target.Process broker) {
        String program = ProcessHandle.of(broker.pid())
                .flatMap(process -> process.info().command())
                .orElse("");
        if (!Path.of(program).endsWith("java")) {
            return program.isEmpty() ? Optional.empty() : output(root, program, "--version");
        }
        return arguments(broker.pid()).stream()
                .flatMap(argument -> Stream.of(argument.split(File.pathSeparator)))
                .map(entry -> Libraries.versions(List.of(entry)))
                .flatMap(entry -> entry.entrySet().stream())
                .filter(entry -> entry.getKey().matches(Pattern.quote(broker.name()) + "(_.*)?"))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static Map<String, Object> git(Path root) {
        Map<String, Object> git = new LinkedHashMap<>();
        git.put("revision", output(root, "git", "rev-parse", "--short", "HEAD").orElse(null));
        git.put(
                "dirty",
                output(root, "git", "status", "--porcelain")
                        .map(text -> !text.isEmpty())
                        .orElse(null));
        return git;
    }

    private static Map<String, Object> settings(Target target) {
        Map<String, Object> settings = new LinkedHashMap<>();
        JsonNode fanOut = get(target.aggregator().port(), "/actuator/info")
                .path("chatterbox")
                .path("fanOut");
        if (!fanOut.isMissingNode()) {
            settings.put("fanOut", fanOut);
        }
        Map<String, JsonNode> transports = new TreeMap<>();
        get(target.aggregator().port(), "/transports")
                .values()
                .forEach(transport -> transports.put(transport.path("name").asString(""), transport));
        settings.put("transports", transports);
        return settings;
    }

    private static JsonNode get(int port, String path) {
        try {
            return JSON.readTree(Http.get(port, path).body());
        } catch (IOException | JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    private static Optional<String> output(Path folder, String... command) {
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
