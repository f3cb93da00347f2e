package dev.chatterbox.stack;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Shows a person what the start of a stack does. Its methods are called by several threads. */
public interface Steps {

    /** Where nobody watches. */
    Steps SILENT = new Steps() {
        @Override
        public void line(String text) {}

        @Override
        public void progress(String text) {}

        @Override
        public void done(String what, double seconds) {}
    };

    /** A line that stays. */
    void line(String text);

    /** The line that says what happens now; it replaces the one before. Nothing is shown where nobody watches. */
    void progress(String text);

    /** A step is done that took so many seconds. */
    void done(String what, double seconds);

    /** Shows which steps of a startup are under way, and how long each of them took. Thread-safe. */
    final class Timer implements AutoCloseable {

        private final Steps steps;
        private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

        /** When each step under way began, by {@link System#nanoTime}. */
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
