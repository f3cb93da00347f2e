package dev.chatterbox.comparison;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Shows what runs now and how much time is left, below a table if there is one; on a terminal only. Thread-safe. */
final class ProgressLine implements AutoCloseable {

    private static final int BAR = 6;

    private final Display display;
    private final long start = System.nanoTime();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "progress");
        thread.setDaemon(true);
        return thread;
    });
    private List<String> above = List.of();
    private String doing = "";
    private long since = start;
    private double secondsLeft;

    ProgressLine(Display display) {
        this.display = display;
        timer.scheduleAtFixedRate(this::show, 0, 500, TimeUnit.MILLISECONDS);
    }

    /** @param secondsLeft how many seconds of the whole comparison are left from now */
    synchronized void doing(String doing, double secondsLeft) {
        this.doing = doing;
        this.secondsLeft = secondsLeft;
        since = System.nanoTime();
    }

    /** Shows these lines above the progress from now on. */
    synchronized void above(List<String> lines) {
        above = List.copyOf(lines);
    }

    private synchronized void show() {
        if (doing.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        double left = Math.max(1, secondsLeft - (now - since) / 1e9);
        display.progress(Stream.concat(above.stream(), Stream.of(line((now - start) / 1e9, left, doing)))
                .collect(Collectors.joining("\n")));
    }

    static String line(double gone, double left, String doing) {
        int full = (int) Math.round(BAR * gone / (gone + left));
        return "█".repeat(full) + "░".repeat(BAR - full) + "  " + FigureText.time(left) + " left  " + doing;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
