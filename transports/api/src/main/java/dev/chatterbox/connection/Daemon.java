package dev.chatterbox.connection;

/** Threads that end with the program at the latest. */
public final class Daemon {

    private Daemon() {}

    /** A thread that is not started. */
    public static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    public static Thread start(String name, Runnable task) {
        Thread thread = thread(name, task);
        thread.start();
        return thread;
    }
}
