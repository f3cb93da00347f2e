package dev.chatterbox.responder;

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

/** Checks, inside this JVM, that a stopped responder leaves no thread behind, and so no connection. */
public abstract class ResponderShutdownKit {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    /** {@code ./chatterbox down} kills what has not ended after this time. */
    private static final Duration AT_ONCE = Duration.ofSeconds(10);

    protected final RunningBroker broker;
    protected final String url;
    private final Predicate<String> threads;
    protected final SquareResponder squares = new SquareResponder("test", Faults.NONE, new SimpleMeterRegistry());
    private Set<Thread> threadsOfOthers = Thread.getAllStackTraces().keySet();

    /**
     * @param urlVariable the environment variable that holds the broker's address
     * @param threads a pattern; the names of the threads of the library and of the responder contain it
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

    /** Threads that run before this call do not count as the responder's. */
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
