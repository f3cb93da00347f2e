package dev.chatterbox.connection;

import java.time.Duration;

/** Threads that end with the program at the latest. */
public final class Daemon {

    private Daemon() {}

    /** A thread that is not started. */
    public static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Waits for a thread's end, for so long at most. */
    public static void join(Thread thread, Duration most) {
        try {
            // With 0 it would wait for ever.
            thread.join(Math.max(1, most.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static Thread start(String name, Runnable task) {
        Thread thread = thread(name, task);
        thread.start();
        return thread;
    }
}
