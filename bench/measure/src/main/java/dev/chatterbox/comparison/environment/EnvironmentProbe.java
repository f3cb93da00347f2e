package dev.chatterbox.comparison.environment;

import com.sun.management.OperatingSystemMXBean;
import dev.chatterbox.comparison.counts.Prometheus;
import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.processes.Jvm;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Role;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
        int aggregator = target.aggregator().first().port();
        JsonNode info = get(aggregator, "/actuator/info");
        Map<String, String> versions = versions(info);
        versions.putAll(target.versions());
        gatling(loadTests).ifPresent(version -> versions.put("gatling-core", version));
        return new Environment(
                machine(),
                java(target, loadTests),
                versions,
                git(checkout),
                settings(get(aggregator, "/transports"), info, target.rows()),
                Footprints.of(target));
    }

    /** Of a system that this program did not start, whose machines nobody can look at from here. */
    public static Environment of(Deployment deployment, Path checkout) {
        return new Environment(
                Environment.NONE.machine(),
                Environment.NONE.java(),
                versions(deployment.info()),
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
                loopbackMtu(),
                system.getSystemLoadAverage());
    }

    private static Optional<String> cpu() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static @Nullable Integer loopbackMtu() {
        try {
            return Integer.valueOf(
                    Files.readString(Path.of("/sys/class/net/lo/mtu")).strip());
        } catch (IOException e) {
            return null;
        }
    }

    private static Environment.Java java(Target target, Path loadTests) {
        Map<String, String> flagsByProcess = new TreeMap<>();
        for (Member process : target.processes()) {
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

    /** The flags of a JVM that took effect, and before them the options of its command line that are no flags. */
    private static Optional<String> flags(long pid) {
        try {
            String flags = Jvm.flags(pid);
            Stream<String> options = arguments(pid).stream()
                    .takeWhile(argument -> !argument.equals("-jar") && !argument.equals("-cp"))
                    .filter(option -> !option.startsWith("-X") && !option.startsWith("-Dchatterbox.process="));
            return Optional.of(Stream.concat(options, Stream.of(flags)).collect(Collectors.joining(" ")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The arguments of a process, without the program; empty if they cannot be read. */
    static List<String> arguments(long pid) {
        try {
            // ProcessHandle gives up on command lines longer than a page, such as one with a broker's class path.
            String[] commandLine = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"))
                    .split("\0");
            return List.of(commandLine).subList(1, commandLine.length);
        } catch (IOException e) {
            return List.of();
        }
    }

    /** What the aggregator says of itself and of its libraries. */
    private static Map<String, String> versions(JsonNode info) {
        Map<String, String> versions = new TreeMap<>();
        info.at("/build/version").asStringOpt().ifPresent(version -> versions.put("chatterbox", version));
        Stream.of("/build/libraries", "/libraries")
                .flatMap(place -> map(info.at(place)).entrySet().stream())
                .forEach(library -> versions.put(library.getKey(), String.valueOf(library.getValue())));
        return versions;
    }

    private static Optional<String> gatling(Path loadTests) {
        try (DirectoryStream<Path> jars =
                Files.newDirectoryStream(loadTests.resolve("target/lib"), "gatling-core-*.jar")) {
            for (Path path : jars) {
                try (JarFile jar = new JarFile(path.toFile())) {
                    return Optional.ofNullable(
                            jar.getManifest().getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION));
                }
            }
        } catch (IOException e) {
            // Then the generator is not built, and nothing can be measured.
        }
        return Optional.empty();
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
}
