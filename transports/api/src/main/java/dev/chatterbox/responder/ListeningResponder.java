package dev.chatterbox.responder;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * A responder that listens on a port of its own. It listens before the actuator does, so that a healthy responder can
 * be called, and closes after the actuator.
 */
public abstract class ListeningResponder implements SmartLifecycle {

    private volatile boolean running;

    protected abstract void listen();

    /** Takes no more requests, answers those that wait, and closes; within the time that Spring gives a phase. */
    protected abstract void close();

    @Override
    public final void start() {
        listen();
        running = true;
    }

    @Override
    public final void stop() {
        running = false;
        close();
    }

    @Override
    public final boolean isRunning() {
        return running;
    }

    @Override
    public final int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1;
    }
}
