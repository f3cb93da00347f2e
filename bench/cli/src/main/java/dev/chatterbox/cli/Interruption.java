package dev.chatterbox.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * While this is open, Ctrl-C and similar signals interrupt some work. Java waits until this is closed, and then exits
 * with 128 plus the signal's number.
 */
final class Interruption implements AutoCloseable {

    /** How long the interrupted work may take to write its results and to stop what it started. */
    private static final long SECONDS = 40;

    private final CountDownLatch done = new CountDownLatch(1);
    private final Terminal terminal;
    private final Thread hook;

    /** @param interrupt called when the program is to end, on a thread of its own */
    Interruption(Runnable interrupt, Terminal terminal) {
        this.terminal = terminal;
        hook = new Thread(() -> await(interrupt), "interruption");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void await(Runnable interrupt) {
        if (done.getCount() == 0) {
            return;
        }
        interrupt.run();
        try {
            if (!done.await(SECONDS, TimeUnit.SECONDS)) {
                terminal.error("Stopping took too long; some results may be missing.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        done.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException running) {
            // The hook is already running, and waits for this call.
        }
    }
}
