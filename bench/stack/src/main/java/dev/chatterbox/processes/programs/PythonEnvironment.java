package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The virtual environment of a Python program, in the cache: a Python of this machine with exactly the libraries in the
 * program's {@value #CONSTRAINTS}. There is one for each list and each Python. Python's own venv and pip make it;
 * pip fetches from the index in its configuration.
 *
 * @param constraints the file
 * @param platform the machine on which it is looked for
 */
public record PythonEnvironment(Path constraints, Platform platform) {

    /** The file lists every library with its exact version, including indirect ones: nothing else is installed. */
    public static final String CONSTRAINTS = "constraints.txt";

    private static final int OLDEST_MINOR = 10;

    /** The libraries have some 20 MB, and the line may be slow. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private static final Pattern VERSION = Pattern.compile("3\\.(\\d+)\\.\\d+\\S*");

    /** Prints its version, whether it can make an environment (Debian packages that separately), and its file. */
    private static final String PRINT_ITSELF = "import sys, importlib.util as u;"
            + " print('.'.join(map(str, sys.version_info[:3])), bool(u.find_spec('ensurepip')), sys.executable)";

    private static final String ADVICE =
            "Python 3.%d or newer; Debian: apt install python3 python3-venv; others: https://www.python.org/downloads"
                    .formatted(OLDEST_MINOR);

    private static final Program PYTHON = Program.of("python3", "PYTHON_BIN", ADVICE, Program.PATH);

    /** @param folder of the program, with its {@value #CONSTRAINTS} */
    public static PythonEnvironment of(Path folder) {
        return new PythonEnvironment(folder.resolve(CONSTRAINTS), Platform.current());
    }

    /**
     * One line for people that says which Python will run, and whether its libraries must still be fetched.
     *
     * @throws ProcessException this machine has no suitable Python; the message says how to get one
     */
    public String origin() {
        Interpreter interpreter = interpreter();
        Path target = target(interpreter);
        return Platform.isProgram(pythonIn(target))
                ? "Python %s, %s".formatted(interpreter.version, target)
                : "Python %s, %s; its libraries are fetched by pip (about 20 MB, once)"
                        .formatted(interpreter.version, interpreter.program);
    }

    /**
     * Makes the environment if it is not here yet, which may take a minute. Two processes may do so at the same time.
     *
     * @return the environment's interpreter
     * @throws ProcessException this machine has no suitable Python, or the libraries could not be fetched
     */
    public Path obtain() {
        Interpreter interpreter = interpreter();
        Path target = target(interpreter);
        if (!Platform.isProgram(pythonIn(target))) {
            try {
                Cache.fill(target, "environment", folder -> make(interpreter, folder));
            } catch (IOException e) {
                throw new ProcessException(
                        "The libraries of %s could not be fetched: %s".formatted(constraints, e.getMessage()), e);
            }
        }
        return pythonIn(target);
    }

    /** The interpreter of an environment. */
    private static Path pythonIn(Path environment) {
        return environment.resolve("bin").resolve("python");
    }

    private void make(Interpreter interpreter, Path folder) throws IOException {
        Path environment = folder.resolve("environment");
        Command.run(TIMEOUT, List.of(interpreter.program, "-m", "venv", environment.toString()));
        String python = pythonIn(environment).toString();
        String list = constraints.toAbsolutePath().toString();
        Command.run(
                TIMEOUT,
                List.of(python, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:", "-r", list));
        Command.run(TIMEOUT, List.of(python, "-m", "pip", "check"));
    }

    /**
     * A Python of this machine.
     *
     * @param program the interpreter itself, and not a script that looks for it
     */
    private record Interpreter(String version, String program) {}

    /** @throws ProcessException this machine has no suitable Python */
    private Interpreter interpreter() {
        Path program = PYTHON.on(platform).obtain();
        String[] printed;
        try {
            String output = Command.run(TIMEOUT, List.of(program.toString(), "-c", PRINT_ITSELF));
            // A script that looks for Python may print something before this line.
            printed = output.substring(output.lastIndexOf('\n') + 1).split(" ", 3);
        } catch (IOException e) {
            throw new ProcessException("%s cannot be used: %s".formatted(program, e.getMessage()), e);
        }
        Matcher version = VERSION.matcher(printed[0]);
        if (printed.length < 3 || !version.matches() || Integer.parseInt(version.group(1)) < OLDEST_MINOR) {
            throw new ProcessException("%s is Python %s, which is too old.%nInstall %s, or set PYTHON_BIN to one."
                    .formatted(program, printed[0], ADVICE));
        }
        if (!printed[1].equals("True")) {
            throw new ProcessException(
                    "%s cannot make a virtual environment.%nInstall its package for that (Debian: apt install python3-venv)."
                            .formatted(program));
        }
        return new Interpreter(printed[0], printed[2]);
    }

    /** The folder's name depends on the Python and on the list, so that each combination has its own environment. */
    private Path target(Interpreter interpreter) {
        try {
            String python = interpreter.version + interpreter.program;
            return platform.cache()
                    .resolve(Cache.version("python-" + interpreter.version, python + Files.readString(constraints)));
        } catch (IOException e) {
            throw new ProcessException("%s cannot be read: %s".formatted(constraints, e.getMessage()), e);
        }
    }
}
