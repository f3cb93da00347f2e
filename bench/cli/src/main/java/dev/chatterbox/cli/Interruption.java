package dev.chatterbox.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * While it is open, Ctrl-C and its like end some work, and Java waits until this is closed: it then goes on to exit with
 * 128 and the signal's number.
 */
final class Interruption implements AutoCloseable {

    /** How long what is interrupted may take to write what it has and to stop what it started. */
    private static final long SECONDS = 40;

    private final CountDownLatch done = new CountDownLatch(1);
    private final Terminal terminal;
    private final Thread hook;

    /** @param interrupt called, on a thread of its own, when the program is to end */
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
                terminal.error("It took too long; some of it may be missing.");
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
            // It waits for this.
        }
    }
}
