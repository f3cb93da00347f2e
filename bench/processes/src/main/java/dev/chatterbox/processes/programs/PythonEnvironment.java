package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The virtual environment of a Python program, in the cache: a Python of this machine with just the libraries that the
 * program's {@value #CONSTRAINTS} names. It is made once for each list and each Python, by uv where that is on the
 * PATH, else by Python's own venv and pip, which fetch from whatever index they are set up for.
 *
 * @param constraints the file
 * @param platform the machine on which it is looked for
 */
public record PythonEnvironment(Path constraints, Platform platform) {

    /** Every library with its exact version, also those that others need: nothing else is installed. */
    public static final String CONSTRAINTS = "constraints.txt";

    private static final int OLDEST_MINOR = 10;

    /** Some 20 MB, over a slow line. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private static final Pattern VERSION = Pattern.compile("3\\.(\\d+)\\.\\d+\\S*");

    /** Its version, itself, and whether it can make an environment alone: Debian keeps that in a package of its own. */
    private static final String PRINT_ITSELF = "import sys, importlib.util as u;"
            + " print('.'.join(map(str, sys.version_info[:3])), bool(u.find_spec('ensurepip')), sys.executable)";

    private static final String ADVICE =
            "Python 3.%d or newer; Debian: apt install python3 python3-venv; macOS: brew".formatted(OLDEST_MINOR)
                    + " install python; others: https://www.python.org/downloads";

    private static final Program PYTHON =
            new Program("python3", ProgramSource.variable("PYTHON_BIN"), ProgramSource.path(ADVICE));

    /** @param folder of the program, with its {@value #CONSTRAINTS} */
    public static PythonEnvironment of(Path folder) {
        return new PythonEnvironment(folder.resolve(CONSTRAINTS), Platform.current());
    }

    /**
     * One line for people: which Python will run, and whether its libraries are still to be fetched.
     *
     * @throws ProcessException this machine has no Python that will do; the message says how to get one
     */
    public String origin() {
        Interpreter interpreter = interpreter();
        return Platform.isProgram(interpreter.of(target(interpreter)))
                ? "Python %s, %s".formatted(interpreter.version, target(interpreter))
                : "Python %s, %s; its libraries are fetched by %s (about 20 MB, once)"
                        .formatted(
                                interpreter.version,
                                interpreter.program,
                                uv().map(uv -> "uv").orElse("pip"));
    }

    /** Why this machine cannot have it, with the ways to get it, in one line for people; empty where it can. */
    public Optional<String> whyUnavailable() {
        return ProcessException.line(this::origin);
    }

    /**
     * Makes it where it is not here yet, which may take a minute. Two processes may do so at once.
     *
     * @return its interpreter
     * @throws ProcessException this machine has no Python that will do, or the libraries could not be fetched
     */
    public Path obtain() {
        Interpreter interpreter = interpreter();
        Path target = target(interpreter);
        if (!Platform.isProgram(interpreter.of(target))) {
            try {
                Cache.fill(target, "environment", folder -> make(interpreter, folder));
            } catch (IOException e) {
                throw new ProcessException(
                        "The libraries of %s could not be fetched: %s".formatted(constraints, e.getMessage()), e);
            }
        }
        return interpreter.of(target);
    }

    private void make(Interpreter interpreter, Path folder) throws IOException {
        String environment = folder.resolve("environment").toString();
        String made = interpreter.of(folder.resolve("environment")).toString();
        String list = constraints.toAbsolutePath().toString();
        Optional<Path> uv = uv();
        if (uv.isPresent()) {
            String program = uv.get().toString();
            run(program, "venv --quiet --python", interpreter.program, environment);
            String install = "pip install --quiet --no-deps --no-build --compile-bytecode --python";
            run(program, install, made, "-r", list);
            run(program, "pip check --quiet --python", made);
        } else {
            run(interpreter.program, "-m venv", environment);
            run(made, "-m pip install --quiet --no-deps --only-binary :all: -r", list);
            run(made, "-m pip check");
        }
    }

    /**
     * @param options with blanks between them
     * @param more arguments, which may have blanks
     */
    private static String run(String program, String options, String... more) throws IOException {
        return Command.run(
                TIMEOUT,
                Stream.of(List.of(program), List.of(options.split(" ")), List.of(more))
                        .flatMap(List::stream)
                        .toList());
    }

    /**
     * A Python of this machine.
     *
     * @param program itself, and no script that looks for it
     */
    private record Interpreter(String version, String program, Platform platform) {

        /** The interpreter of an environment. */
        Path of(Path environment) {
            return platform.isWindows()
                    ? environment.resolve("Scripts").resolve("python.exe")
                    : environment.resolve("bin").resolve("python");
        }
    }

    /** @throws ProcessException there is none that will do */
    private Interpreter interpreter() {
        Path program = PYTHON.on(platform).obtain();
        String[] printed;
        try {
            String output = run(program.toString(), "-c", PRINT_ITSELF);
            // A script that looks for Python may print something before.
            printed = output.substring(output.lastIndexOf('\n') + 1).split(" ", 3);
        } catch (IOException e) {
            throw new ProcessException("%s cannot be used: %s".formatted(program, e.getMessage()), e);
        }
        Matcher version = VERSION.matcher(printed[0]);
        if (printed.length < 3 || !version.matches() || Integer.parseInt(version.group(1)) < OLDEST_MINOR) {
            throw new ProcessException("%s is Python %s, which is too old.%nInstall %s, or set PYTHON_BIN to one."
                    .formatted(program, printed[0], ADVICE));
        }
        if (!printed[1].equals("True") && uv().isEmpty()) {
            throw new ProcessException(
                    "%s cannot make a virtual environment.%nInstall its package for that (Debian: apt install python3-venv), or uv."
                            .formatted(program));
        }
        return new Interpreter(printed[0], printed[2], platform);
    }

    private Optional<Path> uv() {
        return platform.onPath("uv");
    }

    /** Named by all that it is made of: another Python, or another list, is another environment. */
    private Path target(Interpreter interpreter) {
        try {
            String made = interpreter.version + interpreter.program;
            return platform.cache()
                    .resolve(Cache.version("python-" + interpreter.version, made + Files.readString(constraints)));
        } catch (IOException e) {
            throw new ProcessException("%s cannot be read: %s".formatted(constraints, e.getMessage()), e);
        }
    }
}
