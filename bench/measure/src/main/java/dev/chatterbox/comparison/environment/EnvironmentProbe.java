package dev.chatterbox.comparison.environment;

import com.sun.management.OperatingSystemMXBean;
import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.processes.ChildEnvironment;
import dev.chatterbox.processes.Io;
import dev.chatterbox.processes.Jvm;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Proc;
import dev.chatterbox.processes.programs.Cache;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Role;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
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
        int aggregator = target.aggregator().first().port();
        JsonNode info = get(aggregator, "/actuator/info");
        Map<String, String> versions = versions(info);
        versions.putAll(target.versions());
        gatling(loadTests).ifPresent(version -> versions.put("gatling-core", version));
        // The variables that the user hands down to the processes, as a process itself has it.
        Proc.variable(target.aggregator().first().pid(), ChildEnvironment.HANDED_DOWN)
                .ifPresent(names -> versions.put(ChildEnvironment.HANDED_DOWN, names));
        Map<String, Object> sections =
                sections(versions, checkout, get(aggregator, "/transports"), info, target.variants());
        sections.put("machine", machine());
        sections.put("java", java(target, loadTests));
        sections.put("brokers", Footprints.of(target));
        return new Environment(JSON.valueToTree(sections));
    }

    /** Of a system that this program did not start, whose machines nobody can look at from here. */
    public static Environment of(Deployment deployment, Path checkout) {
        JsonNode info = deployment.info();
        return new Environment(
                JSON.valueToTree(sections(versions(info), checkout, deployment.transports(), info, List.of())));
    }

    private static Map<String, Object> sections(
            Map<String, String> versions,
            Path checkout,
            JsonNode transports,
            JsonNode info,
            List<Target.VariantTarget> targets) {
        Map<String, JsonNode> variants = new TreeMap<>();
        for (JsonNode variant : transports.values()) {
            String name = variant.path("name").asString("");
            targets.stream()
                    .filter(target -> target.variant().name().equals(name))
                    .flatMap(target -> target.leaders().stream())
                    .forEach(leaders -> variant.withObject("settings").put("leaders", leaders));
            variants.put(name, variant);
        }
        Revision revision = Revision.of(checkout);
        Map<String, Object> git = new LinkedHashMap<>();
        Optional.ofNullable(revision.commit()).ifPresent(commit -> git.put("revision", commit));
        Optional.ofNullable(revision.dirty()).ifPresent(dirty -> git.put("dirty", dirty));
        Map<String, Object> sections = new LinkedHashMap<>();
        sections.put("versions", versions);
        sections.put("git", git);
        Map<String, Object> settings = new LinkedHashMap<>(map(info.path("chatterbox")));
        settings.put("variants", variants);
        sections.put("settings", settings);
        return sections;
    }

    private static Map<String, Object> machine() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("os", "%s %s %s".formatted(system.getName(), system.getVersion(), system.getArch()));
        machine.put(
                "cpu",
                Proc.text("cpuinfo")
                        .filter(text -> text.contains("model name"))
                        .map(text -> text.replaceFirst("(?s).*?model name\\s*: ([^\n]*).*", "$1"))
                        .orElse(system.getArch()));
        machine.put("cores", system.getAvailableProcessors());
        machine.put("memoryBytes", system.getTotalMemorySize());
        // The largest packet between processes of this machine, in bytes.
        Proc.text("/sys/class/net/lo/mtu")
                .ifPresent(bytes -> machine.put("loopbackMtu", Integer.valueOf(bytes.strip())));
        // What the kernel does against weaknesses of the processor, which can make each system call dearer.
        machine.put(
                "mitigations",
                Cache.list(Path.of("/sys/devices/system/cpu/vulnerabilities")).stream()
                        .map(file -> file.getFileName() + ": "
                                + Proc.text(file.toString()).orElse(""))
                        .filter(line -> !line.matches("\\w+: Not affected\n"))
                        .collect(Collectors.joining()));
        machine.put("loadAverageAtStart", system.getSystemLoadAverage());
        return machine;
    }

    private static Map<String, Object> java(Target target, Path loadTests) {
        Map<String, String> flagsByProcess = new TreeMap<>();
        for (Member process : target.processes()) {
            flags(process.pid()).ifPresent(flags -> flagsByProcess.put(process.name(), flags));
        }
        generatorFlags(loadTests).ifPresent(flags -> flagsByProcess.put(Role.GENERATOR, flags));
        // A running stack may have been started with another Java than this program; if it does not say which, most
        // likely with this one.
        Properties jvm = Io.ifPossible(
                        () -> Jvm.properties(target.aggregator().first().pid()))
                .orElseGet(System::getProperties);
        return Map.of(
                "version", jvm.getProperty("java.runtime.version"),
                "vendor", jvm.getProperty("java.vm.vendor"),
                "flags", flagsByProcess);
    }

    /** The flags of the file that the generator's command line names. */
    private static Optional<String> generatorFlags(Path loadTests) {
        return Io.ifPossible(() -> Files.readAllLines(loadTests.resolve("jvm.args")))
                .map(lines ->
                        lines.stream().filter(line -> line.startsWith("-")).collect(Collectors.joining(" ")));
    }

    /** The flags of a JVM that took effect, and before them the options of its command line that are no flags. */
    private static Optional<String> flags(long pid) {
        Stream<String> options = Proc.arguments(pid).stream()
                .takeWhile(argument -> !argument.equals("-jar") && !argument.equals("-cp"))
                .filter(option -> !option.startsWith("-X") && !option.startsWith("-Dchatterbox.process="));
        return Io.ifPossible(() -> Jvm.flags(pid))
                .map(flags -> Stream.concat(options, Stream.of(flags)).collect(Collectors.joining(" ")));
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
        return Cache.list(loadTests.resolve("target/lib")).stream()
                .map(jar -> jar.getFileName().toString())
                .filter(jar -> jar.startsWith("gatling-core-3"))
                .map(jar -> jar.replaceAll("gatling-core-|\\.jar$", ""))
                .findFirst();
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
