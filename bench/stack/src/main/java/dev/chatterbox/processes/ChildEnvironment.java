package dev.chatterbox.processes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The environment of what a stack and its measurements consist of: the variables that it needs, and none of the others
 * that a user happens to have. Without this, a variable such as {@code DEBUG}, {@code SPRING_CONFIG_LOCATION} or
 * {@code JAVA_TOOL_OPTIONS} would change what is measured. Programs that build and fetch (Maven, Go, pip, Git) keep the
 * user's environment.
 */
public final class ChildEnvironment {

    /** The user's variable that names further variables to hand down, with commas between them. */
    public static final String HANDED_DOWN = "CHATTERBOX_ENV";

    /** What programs need; and what is this project's, because the control service starts other processes again. */
    private static final Pattern NEEDED = Pattern.compile(
            "PATH|HOME|TMPDIR|XDG_CACHE_HOME|JAVA_HOME|SSL_CERT_(FILE|DIR)|(HTTPS?|NO)_PROXY|(https?|no)_proxy"
                    + "|CHATTERBOX_.*|(NATS_SERVER|RABBITMQ_SERVER|ERLANG|TOXIPROXY|PYTHON)_BIN");

    /** Variables by which a JVM, also that of this program, takes options that no command line shows. */
    private static final List<String> OF_JVM = List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");

    private ChildEnvironment() {}

    /** The process of a command, with this environment; the caller adds what the process needs besides. */
    public static ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> own = of(builder.environment());
        builder.environment().clear();
        builder.environment().putAll(own);
        return builder;
    }

    /** The part of an environment that children get. */
    static Map<String, String> of(Map<String, String> environment) {
        List<String> handedDown = handedDown(environment);
        Map<String, String> variables = new TreeMap<>(environment);
        variables.keySet().removeIf(name -> !NEEDED.matcher(name).matches() && !handedDown.contains(name));
        variables.put("LANG", "C.UTF-8");
        return variables;
    }

    /** The names of the variables that a user hands down to the processes. */
    public static List<String> handedDown(Map<String, String> environment) {
        return Pattern.compile(",")
                .splitAsStream(environment.getOrDefault(HANDED_DOWN, ""))
                .map(String::strip)
                .filter(environment::containsKey)
                .sorted()
                .toList();
    }

    /** Sentences about variables that change this program, or what it starts; none in a usual environment. */
    public static List<String> sentences(Map<String, String> environment) {
        List<String> handedDown = handedDown(environment);
        List<String> sentences = new ArrayList<>();
        if (!handedDown.isEmpty()) {
            sentences.add("Every process gets %s, as %s says.".formatted(String.join(", ", handedDown), HANDED_DOWN));
        }
        OF_JVM.stream()
                .filter(name -> !environment.getOrDefault(name, "").isBlank() && !handedDown.contains(name))
                .map("%s changes the JVM of this command only: its processes do not get it."::formatted)
                .forEach(sentences::add);
        return sentences;
    }
}
