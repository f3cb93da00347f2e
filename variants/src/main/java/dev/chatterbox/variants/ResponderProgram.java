package dev.chatterbox.variants;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a responder is started and reached, as {@code responder.properties} in its folder describes it. A responder may
 * be written in any language. It must show its health over HTTP, and its metrics in Prometheus' text format.
 *
 * @param folder holds the description; a command runs in it
 * @param start what is started
 * @param ports by role, before any offset; one role is {@value #HTTP}
 * @param health the path, on the port {@value #HTTP}, that answers 200 while the responder can answer requests
 * @param metrics the path of the responder's metrics, on the same port
 * @param faults the path by which the responder's faults are set while it runs, if it has one
 * @param probes by role, a request that the port answers at once; the round trip to the port is measured with it
 * @param environment the responder's environment variables; see {@link #environment(Variant, Map)}
 */
public record ResponderProgram(
        Path folder,
        Start start,
        Map<String, Integer> ports,
        String health,
        String metrics,
        Optional<String> faults,
        Map<String, Probe> probes,
        Map<String, String> environment) {

    public static final String FILE = "responder.properties";
    public static final String HTTP = "http";

    /** The folder of a Python responder's own modules; the next constant is the folder of the generated ones. */
    private static final String PYTHON_SOURCES = "src/main/python";

    private static final String PYTHON_GENERATED = "target/python";

    private static final Set<String> KEYS =
            Set.of("jar java python command port. health metrics faults ask. answer. env.".split(" "));

    private static final int OLDEST_JAVA = 17;
    private static final String PORT_PREFIX = "port.";
    private static final String PATH = "/\\S*";
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");

    /**
     * Reads the description in a responder's folder.
     *
     * @throws VariantException it is missing or wrong
     */
    public static ResponderProgram read(Path folder) {
        return PropertiesFile.read(folder.resolve(FILE)).read(KEYS, file -> of(folder, file));
    }

    private static ResponderProgram of(Path folder, PropertiesFile file) {
        Start start = Start.of(file);
        Map<String, Integer> ports = file.ports(PORT_PREFIX);
        if (!ports.containsKey(HTTP)) {
            throw new VariantException("port.%s is missing.".formatted(HTTP));
        }
        Map<String, Probe> probes = new TreeMap<>();
        Stream.of("ask.", "answer.")
                .flatMap(prefix -> file.below(prefix).keySet().stream())
                .forEach(role ->
                        probes.put(role, new Probe(bytes("ask." + role, file), bytes("answer." + role, file))));
        return new ResponderProgram(
                folder,
                start,
                ports,
                file.require("health", PATH),
                file.require("metrics", PATH),
                file.optional("faults"),
                probes,
                file.below("env."));
    }

    /**
     * What is started: one of the three.
     *
     * @param jar of a Java responder: its runnable jar, as a pattern relative to the folder
     * @param java the oldest release of Java that can run the jar
     * @param python of a Python responder: its module in {@value #PYTHON_SOURCES}; the virtual environment that its
     *     {@code constraints.txt} describes runs it
     * @param command of any other responder: the command that starts it
     */
    public record Start(Optional<String> jar, int java, Optional<String> python, List<String> command) {

        private static Start of(PropertiesFile file) {
            String command = file.text("command");
            Start start = new Start(
                    file.optional("jar"),
                    file.optional("java").isEmpty() ? OLDEST_JAVA : Integer.parseInt(file.require("java", "[0-9]{2}")),
                    file.optional("python"),
                    command.isEmpty() ? List.of() : List.of(command.split("\\s+")));
            if (Stream.of("jar", "python", "command")
                            .filter(key -> file.optional(key).isPresent())
                            .count()
                    != 1) {
                throw new VariantException("either jar, python or command must be there.");
            }
            return start;
        }
    }

    /**
     * Bytes that a port answers at once; each character is a byte.
     *
     * @param reply bytes that the port's answer contains somewhere
     */
    public record Probe(String request, String reply) {}

    /** Reads the escapes of Java, because a description cannot hold the end of a line or a zero byte otherwise. */
    private static String bytes(String key, PropertiesFile file) {
        String text = file.require(key, "[ -~]+");
        try {
            return text.translateEscapes();
        } catch (IllegalArgumentException e) {
            throw new VariantException(
                    "%s is '%s', but must be text with the escapes of Java: %s.".formatted(key, text, e.getMessage()));
        }
    }

    /**
     * The command that runs a Python responder.
     *
     * @param interpreter of the responder's virtual environment
     */
    public List<String> pythonCommand(Path interpreter) {
        return List.of(interpreter.toString(), "-m", start.python().orElseThrow());
    }

    /** The environment variables by which Python finds the modules of a Python responder, from any folder. */
    public Map<String, String> pythonPath() {
        Path absolute = folder.toAbsolutePath().normalize();
        return Map.of(
                "PYTHONPATH",
                absolute.resolve(PYTHON_SOURCES) + File.pathSeparator + absolute.resolve(PYTHON_GENERATED),
                // Python must write no files among the sources: the list of these says whether the build is stale.
                "PYTHONDONTWRITEBYTECODE",
                "1");
    }

    /** The ports of a variant's responder process, by role, before any offset. */
    public Map<String, Integer> ports(Variant.Responder responder) {
        Map<String, Integer> all = new TreeMap<>(ports);
        all.putAll(responder.ports());
        return all;
    }

    /**
     * The environment variables of a variant's responder process.
     *
     * @param ports by role, with any offset added
     * @throws VariantException a placeholder is not known
     */
    public Map<String, String> environment(Variant variant, Map<String, Integer> ports) {
        Variant.Responder responder = variant.responder().orElseThrow();
        Map<String, String> values = placeholders(ports);
        values.put("name", responder.name());
        variant.address().forEach((part, value) -> values.put("address." + part, value));
        Map<String, String> variables = new TreeMap<>();
        if (start.python().isPresent()) {
            variables.putAll(pythonPath());
        }
        variables.putAll(environment);
        variables.putAll(responder.environment());
        return resolve(variables, values);
    }

    /** The environment variables by which the aggregator finds a variant's responder on these ports. */
    public static Map<String, String> aggregatorEnvironment(Variant variant, Map<String, Integer> ports) {
        return resolve(variant.client().environment(), placeholders(ports));
    }

    /** The roles of those responder ports that the aggregator's environment variables name. */
    public static Set<String> aggregatorRoles(Variant variant) {
        return variant.client().environment().values().stream()
                .flatMap(value -> PLACEHOLDER.matcher(value).results())
                .map(match -> match.group(1))
                .filter(name -> name.startsWith(PORT_PREFIX))
                .map(name -> name.substring(PORT_PREFIX.length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, String> placeholders(Map<String, Integer> ports) {
        Map<String, String> values = new TreeMap<>();
        ports.forEach((role, port) -> values.put(PORT_PREFIX + role, Integer.toString(port)));
        return values;
    }

    private static Map<String, String> resolve(Map<String, String> variables, Map<String, String> values) {
        Map<String, String> resolved = new TreeMap<>(variables);
        resolved.replaceAll((variable, text) -> PLACEHOLDER.matcher(text).replaceAll(match -> {
            String value = values.get(match.group(1));
            if (value == null) {
                throw new VariantException(
                        "'%s': %s means nothing here; these do: %s".formatted(text, match.group(), values.keySet()));
            }
            return Matcher.quoteReplacement(value);
        }));
        return resolved;
    }
}
