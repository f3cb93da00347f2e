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

    /** Runs one that takes no time. */
    static String run(String... command) throws IOException {
        return run(TIMEOUT, List.of(command));
    }

    /**
     * Runs one on the calling thread.
     *
     * @return what it printed, errors too
     * @throws IOException it cannot be started, failed, or was not done in time; the message ends with its last lines
     */
    public static String run(Duration timeout, List<String> command) throws IOException {
        String program = command.get(0);
        // A file, because what the command started may keep a pipe open for longer than it runs itself.
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
