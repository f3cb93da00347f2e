package dev.chatterbox.cli;

import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.StackException;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Testbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a command that starts a stack of its own, because it breaks what it tests. */
final class OwnStackOptions {

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The folder for the results (default: .chatterbox/results/<time>-${COMMAND-NAME}).")
    private @Nullable Path out;

    @Option(
            names = "--port-offset",
            paramLabel = "N",
            description = "Ports that are all moved by N (default: 0, or another if those are taken).")
    private @Nullable Integer offset;

    /**
     * @param distanceMillis more than 0 for a network between the processes
     * @throws StackException a stack runs on these ports
     */
    Testbed open(Repository repository, List<String> rows, int distanceMillis, Steps steps) throws IOException {
        Stack stack = repository.stack(offset == null ? 0 : offset);
        if (stack.runs()) {
            throw new StackException("A stack runs, and this command breaks the one that it tests: it starts its own. "
                    + "To stop that one: %s. Or choose other ports: --port-offset N".formatted(stack.command("down")));
        }
        return Testbed.open(repository, Optional.ofNullable(offset), rows, distanceMillis, steps);
    }

    /** The folder for results, which then exists. */
    Path folder(Repository repository, String name) throws IOException {
        return Files.createDirectories(Measurements.folder(repository, out, name));
    }
}
