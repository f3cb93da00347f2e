package dev.chatterbox.square.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.processes.programs.PythonEnvironment;
import dev.chatterbox.variants.ResponderProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What no kit can ask of a responder over its messages, in Python's own unittest. */
@Tag("kit")
@EnabledIf("dev.chatterbox.square.python.PythonHere#isHere")
class PythonUnitTestsIT {

    private static final Path FOLDER = Path.of("");

    @Test
    void unitTestsInPythonSucceed() throws IOException, InterruptedException {
        String interpreter = PythonEnvironment.of(FOLDER).obtain().toString();
        ProcessBuilder tests = new ProcessBuilder(interpreter, "-m", "unittest", "discover", "-s", "src/test/python");
        tests.redirectErrorStream(true)
                .environment()
                .putAll(ResponderProgram.read(FOLDER).pythonPath());

        Process process = tests.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        // Where it finds no test it succeeds too, before Python 3.12.
        assertThat(output).doesNotContain("Ran 0 tests");
    }
}
