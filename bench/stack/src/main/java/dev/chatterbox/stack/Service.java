package dev.chatterbox.stack;

import dev.chatterbox.processes.PythonEnvironment;
import dev.chatterbox.rows.ResponderProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A service that a stack starts.
 *
 * @param ports by role
 * @param health the path, on the port {@link ResponderProgram#HTTP}, that answers 200 once it serves
 * @param metrics the path, on the same port, of its metrics; empty where it has none
 * @param faults the path, on the same port, by which its faults are set, if it has one
 * @param environment its variables
 * @param arguments of its command line
 */
public record Service(
        String name,
        Map<String, Integer> ports,
        String health,
        String metrics,
        Optional<String> faults,
        Start start,
        Map<String, String> environment,
        List<String> arguments) {

    /** How a service is started. */
    sealed interface Start {

        /**
         * @param pattern of the runnable jar, below the folder of its module
         * @param heap in megabytes
         */
        record Jar(Path module, String pattern, int heap) implements Start {}

        /** @param program of a Python responder */
        record Python(ResponderProgram program) implements Start {

            PythonEnvironment environment() {
                return PythonEnvironment.of(program.folder());
            }
        }

        /** @param folder where the command runs */
        record Command(Path folder, List<String> command) implements Start {}
    }

    public int port() {
        return ports.getOrDefault(ResponderProgram.HTTP, 0);
    }
}
