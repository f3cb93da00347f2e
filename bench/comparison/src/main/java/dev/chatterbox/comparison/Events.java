package dev.chatterbox.comparison;

import dev.chatterbox.processes.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a child process tells: the lines of its output that are {@code @chatterbox {"event":…}}. They are read from
 * its log, looked at every two milliseconds, which is as late as an event may be noticed. Not thread-safe.
 */
final class Events implements AutoCloseable {

    private static final String PREFIX = "@chatterbox ";
    private static final long POLL_MILLIS = 2;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final ChildProcess process;
    private final SeekableByteChannel log;
    private final ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final Queue<JsonNode> read = new ArrayDeque<>();

    /** @param process one whose log began with it */
    Events(ChildProcess process) {
        this.process = process;
        try {
            log = Files.newByteChannel(process.log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits for the next one.
     *
     * @return empty if the process has ended and said all, or if nothing was said for so long
     */
    Optional<JsonNode> next(double seconds) {
        long deadline = System.nanoTime() + (long) (seconds * 1e9);
        for (int polls = 1; ; polls++) {
            // Asked before the log is read: what it wrote before its end is in the log then.
            boolean ended = polls % 50 == 0 && !process.isAlive();
            readMore();
            if (!read.isEmpty()) {
                return Optional.of(read.remove());
            }
            if (ended || System.nanoTime() > deadline) {
                return Optional.empty();
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }
    }

    private void readMore() {
        try {
            while (log.read(buffer.clear()) > 0) {
                for (buffer.flip(); buffer.hasRemaining(); ) {
                    byte next = buffer.get();
                    if (next == '\n') {
                        take(line.toString(StandardCharsets.UTF_8));
                        line.reset();
                    } else {
                        line.write(next);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void take(String text) {
        // Another thread's output may stand before it, without an end of line.
        int start = text.indexOf(PREFIX);
        if (start >= 0) {
            try {
                read.add(JSON.readTree(text.substring(start + PREFIX.length())));
            } catch (JacksonException noJson) {
                // A word for people, then.
            }
        }
    }

    @Override
    public void close() {
        try {
            log.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
