package dev.chatterbox.square.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.RunningBroker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

/** What only this JVM can see: that a responder that has stopped leaves no thread, and so no connection. */
public abstract class ResponderShutdownKit {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    protected final RunningBroker broker;
    protected final String url;
    private final Predicate<String> threads;
    protected final SquareResponder squares = new SquareResponder("test", Faults.NONE, new SimpleMeterRegistry());
    private Set<Thread> threadsOfOthers = Thread.getAllStackTraces().keySet();

    /**
     * @param urlVariable by which the broker says where it is
     * @param threads a pattern that the names of the library's threads, and of the responder's own, hold
     */
    protected ResponderShutdownKit(Broker broker, String urlVariable, String threads) {
        this.broker = SharedBroker.of(broker);
        url = this.broker.environment().get(urlVariable);
        this.threads = Pattern.compile("^connection to|" + threads).asPredicate();
    }

    /** A responder that is not started. */
    protected abstract KeptResponder responder(String url, SquareResponder squares);

    @AfterEach
    void endTimer() {
        squares.close();
    }

    @Test
    void leavesNothingBehind() {
        stops(connected());
    }

    @Test
    void leavesNothingBehindWhenItsBrokerHasDied() {
        KeptResponder responder = connected();
        broker.kill();
        stops(responder);
    }

    @Test
    void leavesNothingBehindWhenItsBrokerIsFrozen() {
        stopsWhileItsBrokerIsFrozen(connected());
    }

    protected final void stopsWhileItsBrokerIsFrozen(KeptResponder responder) {
        broker.process().freeze();
        try {
            stops(responder);
        } finally {
            broker.process().resume();
        }
    }

    @Test
    void leavesNothingBehindBeforeItsBrokerIsThere() {
        broker.kill();
        stops(started(url));
    }

    @Test
    void leavesNothingBehindWhereItsBrokersNameIsUnknown() {
        KeptResponder responder = started(url.replace("127.0.0.1", "no-such-host.invalid"));
        assertThat(responder.health().getStatus()).isEqualTo(Status.DOWN);
        stops(responder);
    }

    /** From now on, threads that run already are not the responder's. */
    protected final void ignoreThreads() {
        threadsOfOthers = Thread.getAllStackTraces().keySet();
    }

    protected final KeptResponder connected() {
        return connected(responder(url, squares));
    }

    protected final KeptResponder connected(KeptResponder responder) {
        responder.start();
        await().atMost(PATIENCE).until(() -> responder.health().getStatus().equals(Status.UP));
        return responder;
    }

    private KeptResponder started(String at) {
        KeptResponder responder = responder(at, squares);
        responder.start();
        return responder;
    }

    protected final void stops(KeptResponder responder) {
        long start = System.nanoTime();
        responder.stop();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> !threadsOfOthers.contains(thread))
                        .extracting(Thread::getName)
                        .noneMatch(threads));
    }
}
