package dev.chatterbox.processes.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PythonEnvironmentTests {

    /** A script that prints a version as Python does, and makes environments that note their arguments. */
    private static final String PYTHON = """
            case "$1 $2" in
            "-c "*) echo looking for it; echo "%s %s $0" ;;
            "-m venv") mkdir -p "$3/bin"; cp "$(dirname "$0")/made" "$3/bin/python" ;;
            esac
            """;

    private static final String MADE = "echo \"$@\" >> \"$(dirname \"$0\")/../arguments\"\n";

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private Path cache;

    @BeforeEach
    void emptyMachine() throws IOException {
        cache = directory.resolve("cache/chatterbox");
        environment.put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        environment.put("PATH", directory.resolve("bin").toString());
        Files.writeString(directory.resolve("constraints.txt"), "uvloop==1\n");
        program("made", MADE);
    }

    @Test
    void saysInOneLineWhatGivesPython() {
        assertThat(refusal())
                .satisfies(reason -> assertThat(reason)
                        .startsWith(
                                "python3 is not on this platform. Any one of these gives it: - set PYTHON_BIN to a python3")
                        .contains("Python 3.10 or newer", "apt install python3 python3-venv")
                        .doesNotContain("\n"));
        assertThatThrownBy(() -> python().obtain()).isInstanceOf(ProcessException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.7.18", "3.9.19"})
    void refusesOneThatIsTooOld(String version) throws IOException {
        program("python3", PYTHON.formatted(version, "True"));

        assertThat(refusal())
                .satisfies(reason -> assertThat(reason)
                        .contains("bin/python3 is Python " + version + ", which is too old", "3.10 or newer")
                        .doesNotContain("\n"));
    }

    @Test
    void saysThatPythonCannotMakeEnvironments() throws IOException {
        program("python3", PYTHON.formatted("3.11.2", "False"));

        assertThat(refusal())
                .satisfies(reason ->
                        assertThat(reason).contains("cannot make a virtual environment", "apt install python3-venv"));
    }

    @Test
    void saysThatItIsNoPython() throws IOException {
        program("python3", "echo no, I am not >&2; exit 3\n");

        assertThat(refusal())
                .satisfies(reason -> assertThat(reason).contains("bin/python3 cannot be used", "no, I am not"));
    }

    @Test
    void makesItOnceForEachList() throws IOException {
        program("python3", PYTHON.formatted("3.10.0", "True"));
        assertThat(python().origin()).endsWith("bin/python3; its libraries are fetched by pip (about 20 MB, once)");

        Path interpreter = python().obtain();

        assertThat(interpreter).startsWith(cache).isExecutable();
        assertThat(arguments(interpreter))
                .satisfiesExactly(
                        install -> assertThat(install)
                                .startsWith("-m pip install")
                                .contains("--no-deps")
                                .endsWith("-r " + directory.resolve("constraints.txt")),
                        check -> assertThat(check).isEqualTo("-m pip check"));
        assertThat(python().obtain()).isEqualTo(interpreter);
        assertThat(python().origin())
                .endsWith(interpreter.getParent().getParent().toString());
        assertThat(arguments(interpreter)).hasSize(2);
        Files.writeString(directory.resolve("constraints.txt"), "uvloop==2\n");
        assertThat(python().obtain()).isNotEqualTo(interpreter);
        assertThat(cache).isDirectoryNotContaining("glob:**/new-*");
    }

    @Test
    void letsTwoProcessesMakeItAtOnce() throws Exception {
        program("python3", PYTHON.formatted("3.10.0", "True"));
        ExecutorService both = Executors.newFixedThreadPool(2);
        try {
            Callable<Path> obtain = () -> python().obtain();
            for (var obtained : both.invokeAll(List.of(obtain, obtain))) {
                assertThat(arguments(obtained.get())).hasSize(2);
            }
        } finally {
            both.shutdown();
        }
    }

    @Test
    void leavesNothingWhereALibraryCannotBeFetched() throws IOException {
        program("python3", PYTHON.formatted("3.10.0", "True"));
        program("made", "echo no matching distribution for uvloop; exit 1\n");

        assertThatThrownBy(() -> python().obtain())
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("constraints.txt could not be fetched")
                .hasMessageContaining("no matching distribution for uvloop");
        assertThat(cache).isEmptyDirectory();
    }

    /** What is wrong with the machine, in one line. */
    private String refusal() {
        return catchThrowableOfType(ProcessException.class, () -> python().origin())
                .line();
    }

    private PythonEnvironment python() {
        return new PythonEnvironment(
                directory.resolve(PythonEnvironment.CONSTRAINTS), new Platform(environment, "amd64"));
    }

    private static List<String> arguments(Path interpreter) throws IOException {
        return Files.readAllLines(interpreter.getParent().resolveSibling("arguments"));
    }

    private void program(String name, String script) throws IOException {
        Path program = directory.resolve("bin").resolve(name);
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\nPATH=/usr/bin:/bin\n" + script);
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }
}
