package dev.chatterbox.rows;

import java.io.File;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How a responder is started and spoken to, as {@code responder.properties} in its folder describes it. It may be of
 * any language: what is asked of it is health over HTTP and figures in Prometheus' text format.
 *
 * @param folder where the description lies, and where a command runs
 * @param jar of a Java responder: its runnable jar, as a pattern below the folder
 * @param python of a Python responder: its module, in {@value #PYTHON_SOURCES}, run by the virtual environment that its
 *     {@code constraints.txt} asks for
 * @param command of any other
 * @param ports by role, before any offset; one is called {@value #HTTP}
 * @param health the path, on the port {@value #HTTP}, that answers 200 where requests can be answered
 * @param metrics the path of its figures, on the same port
 * @param faults the path by which its faults are set while it runs, if it has one
 * @param probes by role, what its port answers at once: by this the round trip to it is measured
 * @param environment its environment variables; see {@link #environment(Row, Map)}
 */
public record ResponderProgram(
        Path folder,
        Optional<String> jar,
        Optional<String> python,
        List<String> command,
        Map<String, Integer> ports,
        String health,
        String metrics,
        Optional<String> faults,
        Map<String, Probe> probes,
        Map<String, String> environment) {

    public static final String FILE = "responder.properties";
    public static final String HTTP = "http";

    /** Below the folder of a Python responder: its own modules, and those that the build generates. */
    private static final String PYTHON_SOURCES = "src/main/python";

    private static final String PYTHON_GENERATED = "target/python";

    private static final String PORT = "port.";
    private static final String PATH = "/\\S*";
    private static final Set<String> KEYS =
            Set.of("jar", "python", "command", PORT, "health", "metrics", "faults", "ask.", "answer.", "env.");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");

    /**
     * Reads the description in a responder's folder.
     *
     * @throws RowException it is missing or wrong
     */
    public static ResponderProgram read(Path folder) {
        Description file = Description.read(folder.resolve(FILE));
        file.requireKnown(KEYS);
        Optional<String> jar = file.find("jar");
        Optional<String> python = file.find("python");
        Optional<String> command = file.find("command");
        if (Stream.of(jar, python, command).filter(Optional::isPresent).count() != 1) {
            throw new RowException("%s: either jar, python or command must be there.".formatted(file.file()));
        }
        Map<String, Integer> ports = file.ports(PORT);
        if (!ports.containsKey(HTTP)) {
            throw new RowException("%s: port.%s is missing.".formatted(file.file(), HTTP));
        }
        return new ResponderProgram(
                folder,
                jar,
                python,
                command.map(words -> List.of(words.split("\\s+"))).orElse(List.of()),
                ports,
                file.get("health", PATH),
                file.get("metrics", PATH),
                file.find("faults"),
                probes(file),
                file.below("env."));
    }

    /**
     * Bytes that a port answers at once; each character is a byte.
     *
     * @param reply what is somewhere in what comes back
     */
    public record Probe(String request, String reply) {}

    private static Map<String, Probe> probes(Description file) {
        Map<String, Probe> probes = new TreeMap<>();
        file.below("ask.")
                .keySet()
                .forEach(role ->
                        probes.put(role, new Probe(bytes(file, "ask." + role), bytes(file, "answer." + role))));
        return probes;
    }

    /** With the escapes of Java, for neither the end of a line nor a zero can stand in a description. */
    private static String bytes(Description file, String key) {
        String text = file.get(key, "[ -~]+");
        try {
            return text.translateEscapes();
        } catch (IllegalArgumentException e) {
            throw new RowException("%s: %s is '%s', but must be text with the escapes of Java: %s."
                    .formatted(file.file(), key, text, e.getMessage()));
        }
    }

    /**
     * How a Python responder is run.
     *
     * @param interpreter of its virtual environment
     */
    public List<String> pythonCommand(Path interpreter) {
        return List.of(interpreter.toString(), "-m", python.orElseThrow());
    }

    /** The ports of a row's responder process, by role, before any offset. */
    public Map<String, Integer> ports(Row.Responder responder) {
        Map<String, Integer> all = new TreeMap<>(ports);
        all.putAll(responder.ports());
        return all;
    }

    /**
     * The environment variables of a row's responder process.
     *
     * @param ports by role, as they are to be used
     * @throws RowException a placeholder means nothing
     */
    public Map<String, String> environment(Row row, Map<String, Integer> ports) {
        Row.Responder responder = row.responder().orElseThrow();
        Map<String, String> values = placeholders(ports);
        values.put("name", responder.name());
        row.address().forEach((part, value) -> values.put("address." + part, value));
        Map<String, String> told = new TreeMap<>();
        if (python.isPresent()) {
            told.put("PYTHONPATH", PYTHON_SOURCES + File.pathSeparator + PYTHON_GENERATED);
            // No files of its own among the sources, whose list tells whether the build is stale.
            told.put("PYTHONDONTWRITEBYTECODE", "1");
        }
        Stream.of(environment, responder.environment())
                .forEach(each -> each.forEach((variable, value) -> told.put(variable, resolve(value, values))));
        return told;
    }

    /** The environment variables by which the aggregator finds a row's responder whose ports are these. */
    public static Map<String, String> aggregatorEnvironment(Row row, Map<String, Integer> ports) {
        Map<String, String> values = placeholders(ports);
        Map<String, String> told = new TreeMap<>();
        row.aggregatorEnvironment().forEach((variable, value) -> told.put(variable, resolve(value, values)));
        return told;
    }

    /** The roles of the responder's ports that the aggregator connects to, by its environment. */
    public static Set<String> aggregatorRoles(Row row) {
        Set<String> roles = new TreeSet<>();
        row.aggregatorEnvironment()
                .values()
                .forEach(value -> PLACEHOLDER
                        .matcher(value)
                        .results()
                        .map(match -> match.group(1))
                        .filter(name -> name.startsWith(PORT))
                        .forEach(name -> roles.add(name.substring(PORT.length()))));
        return roles;
    }

    private static Map<String, String> placeholders(Map<String, Integer> ports) {
        Map<String, String> values = new HashMap<>();
        ports.forEach((role, port) -> values.put(PORT + role, Integer.toString(port)));
        return values;
    }

    private static String resolve(String text, Map<String, String> values) {
        return PLACEHOLDER.matcher(text).replaceAll(match -> {
            String value = values.get(match.group(1));
            if (value == null) {
                throw new RowException("'%s': %s means nothing here; these do: %s"
                        .formatted(text, match.group(), new TreeMap<>(values).keySet()));
            }
            return Matcher.quoteReplacement(value);
        });
    }
}
