package dev.chatterbox.stack;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Shows a person what a command does. Several threads call the methods. */
public interface Steps {

    /** Shows nothing, because nobody watches. */
    Steps SILENT = text -> {};

    /** Shows a line that stays. */
    void line(String text);

    /** Shows what happens now, in one line or several, in place of the text before; nothing if no person watches. */
    default void progress(String text) {}

    /** Whether a person watches. Then {@link #progress} shows every step, and a line for each would be too much. */
    default boolean interactive() {
        return false;
    }

    /** Shows that a step is done, and how many seconds it took. */
    default void done(String what, double seconds) {}

    /** Shows where a failure happened after which the work goes on, if a person wants to see stack traces. */
    default void trace(Exception failure) {}

    /** Shows which steps of a startup are running, and how long each of them took. Thread-safe. */
    final class Timer implements AutoCloseable {

        private final Steps steps;
        private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

        /** When each running step began, by {@link System#nanoTime}. */
        private final Map<String, Long> begun = new ConcurrentSkipListMap<>();

        Timer(Steps steps) {
            this.steps = steps;
            executor.scheduleAtFixedRate(this::show, 200, 200, TimeUnit.MILLISECONDS);
        }

        void time(String name, Runnable step) {
            long begin = System.nanoTime();
            begun.put(name, begin);
            step.run();
            begun.remove(name);
            steps.done(name, (System.nanoTime() - begin) / 1e9);
        }

        private void show() {
            long now = System.nanoTime();
            steps.progress(begun.entrySet().stream()
                    .map(step ->
                            "%s %d s".formatted(step.getKey(), TimeUnit.NANOSECONDS.toSeconds(now - step.getValue())))
                    .collect(Collectors.joining(", ", "… ", "")));
        }

        @Override
        public void close() {
            executor.shutdownNow();
        }
    }
}
