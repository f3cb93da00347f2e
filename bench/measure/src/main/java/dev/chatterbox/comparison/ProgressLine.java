package dev.chatterbox.comparison;

import dev.chatterbox.results.Numbers;
import dev.chatterbox.stack.Steps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shows what a run does and how much time is left, below a table if there is one; on a terminal all the time, elsewhere
 * by a line per minute. What each step gave goes to a file. Thread-safe.
 */
final class ProgressLine implements AutoCloseable {

    private static final int BAR = 6;
    private static final long SHOWN_EVERY = TimeUnit.MINUTES.toNanos(1);

    private final Steps display;
    private final Path log;
    private final long start = System.nanoTime();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private List<String> above = List.of();
    private String doing = "";
    private long since = start;
    private long shownAt = start;

    /** Seconds that were left when the step under way began, and that will be left when it ends. */
    private double leftAtBegin;

    private double leftAtEnd;

    /** @param log the file of {@link #log} */
    ProgressLine(Steps display, Path log) {
        this.display = display;
        this.log = log;
        if (!display.interactive()) {
            display.line("Each step is in " + log);
        }
        timer.scheduleAtFixedRate(this::show, 0, 500, TimeUnit.MILLISECONDS);
    }

    /** From the next step on, the run takes so many seconds. */
    synchronized void expect(double seconds) {
        leftAtEnd = seconds;
    }

    /** @param seconds how long it will take */
    synchronized void doing(String doing, double seconds) {
        this.doing = doing;
        leftAtBegin = leftAtEnd;
        leftAtEnd -= seconds;
        since = System.nanoTime();
    }

    synchronized double secondsLeft() {
        return leftAtEnd;
    }

    /** Shows a table above the progress until the run ends. */
    synchronized void table(List<String> lines) {
        if (display.interactive()) {
            above = List.copyOf(lines);
        } else {
            lines.forEach(display::line);
        }
    }

    /** Shows a line that stays, whoever watches. */
    void always(String text) {
        display.line(text);
    }

    /** Writes a line to the file: there are too many to show them. */
    synchronized void log(String text) {
        try {
            Files.createDirectories(Objects.requireNonNull(log.getParent()));
            Files.writeString(log, text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void show() {
        if (doing.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        double left = Math.max(1, leftAtBegin - (now - since) / 1e9);
        if (!display.interactive() && now - shownAt > SHOWN_EVERY) {
            shownAt = now;
            display.line("  %s left, %s".formatted(Numbers.time(left), doing));
        }
        display.progress(Stream.concat(above.stream(), Stream.of(line((now - start) / 1e9, left, doing)))
                .collect(Collectors.joining("\n")));
    }

    static String line(double gone, double left, String doing) {
        int full = (int) Math.round(BAR * gone / (gone + left));
        return "█".repeat(full) + "░".repeat(BAR - full) + "  " + Numbers.time(left) + " left  " + doing;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
