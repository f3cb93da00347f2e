package dev.chatterbox.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs commands to their end. */
public final class Command {

    /** The lines of a failure that are shown: Maven writes eight, of which the first one says what is wrong. */
    private static final int LAST_LINES = 10;

    private Command() {}

    /** Runs a command in the environment of this process. */
    public static String run(Duration timeout, List<String> command) throws IOException {
        return run(timeout, new ProcessBuilder(command));
    }

    /**
     * Runs a command on the calling thread.
     *
     * @param builder its command and environment; this method sets its output
     * @return the command's output and errors
     * @throws IOException the command cannot be started, failed, or took too long; the message ends with its last lines
     */
    public static String run(Duration timeout, ProcessBuilder builder) throws IOException {
        String program = builder.command().get(0);
        // The output goes to a file, because processes that the command started may keep a pipe open after its end.
        Path output = Files.createTempFile("chatterbox-", ".txt");
        try {
            Process process = builder.redirectErrorStream(true)
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
                String last = String.join("\n  ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
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
