package dev.chatterbox.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs commands to their end. */
public final class Command {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private Command() {}

    /** Runs a command that takes at most 30 seconds. */
    static String run(String... command) throws IOException {
        return run(TIMEOUT, List.of(command));
    }

    /**
     * Runs a command on the calling thread.
     *
     * @return the command's output and errors
     * @throws IOException the command cannot be started, failed, or took too long; the message ends with its last lines
     */
    public static String run(Duration timeout, List<String> command) throws IOException {
        String program = command.get(0);
        // The output goes to a file, because processes that the command started may keep a pipe open after its end.
        Path output = Files.createTempFile("chatterbox-", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            try {
                if (!process.waitFor(timeout.toSeconds(), TimeUnit.SECONDS)) {
                    throw new IOException("%s was not done in %s".formatted(program, timeout));
                }
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            String text = Files.readString(output).strip();
            if (process.exitValue() != 0) {
                List<String> lines = text.lines().toList();
                String last = String.join("\n  ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
                throw new IOException("%s failed:%n  %s".formatted(program, last));
            }
            return text;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
