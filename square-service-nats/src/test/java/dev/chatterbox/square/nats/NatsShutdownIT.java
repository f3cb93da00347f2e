package dev.chatterbox.square.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.square.common.Faults;
import dev.chatterbox.square.common.SharedBroker;
import dev.chatterbox.square.common.SquareResponder;
import dev.chatterbox.square.common.Wire;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

/** What only this JVM can see: that a responder that has stopped leaves no thread and no connection. */
class NatsShutdownIT {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    /** Twice the time for a drain, and what closing takes besides. */
    private static final Duration DRAIN_AND_CLOSE = Duration.ofSeconds(8);

    private static final String SUBJECT = "test.squares";

    private final RunningBroker server = SharedBroker.of(new NatsServer());

    private Set<Thread> threadsOfOthers = Set.of();
    private final SquareResponder squares = new SquareResponder("test", Faults.NONE, new SimpleMeterRegistry());

    @AfterEach
    void endTimer() {
        squares.close();
    }

    @Test
    void leavesNothingBehind() {
        stopsWithin(AT_ONCE, connected());
    }

    @Test
    void leavesNothingBehindOfItsStreams() {
        RequestSource streams = new StreamRequests("test", "test.stored", "test", Duration.ofSeconds(10), squares);
        stopsWithin(AT_ONCE, connected(new NatsResponder(address(), "", streams, squares)));
    }

    @Test
    void leavesNothingBehindWhenItsServerHasDied() {
        NatsResponder responder = connected();
        server.kill();
        stopsWithin(AT_ONCE, responder);
    }

    /** So much waits to be answered that jnats' outgoing queue is full and its writer stands in the socket. */
    @Test
    void leavesNothingBehindWhenItsServerFreezesUnderLoad() throws Exception {
        try (BareNatsClient requester = BareNatsClient.connect(server.port(), SUBJECT)) {
            threadsOfOthers = Thread.getAllStackTraces().keySet();
            NatsResponder responder = connected();
            byte[] request = Wire.input(3);
            for (int i = 0; i < 100_000; i++) {
                requester.connection().publish(SUBJECT, "nobody." + i, request);
            }
            signal("STOP");
            try {
                stopsWithin(DRAIN_AND_CLOSE, responder);
            } finally {
                signal("CONT");
            }
        }
    }

    @Test
    void leavesNothingBehindBeforeItsServerIsThere() {
        server.kill();
        NatsResponder responder = responder(address());
        responder.start();
        stopsWithin(AT_ONCE, responder);
    }

    @Test
    void leavesNothingBehindWhereItsServersNameIsUnknown() {
        NatsResponder responder = responder("nats://no-such-host.invalid:4222");
        responder.start();
        assertThat(responder.health().getStatus()).isEqualTo(Status.DOWN);
        stopsWithin(AT_ONCE, responder);
    }

    private String address() {
        return "nats://127.0.0.1:" + server.port();
    }

    private NatsResponder connected() {
        return connected(responder(address()));
    }

    private NatsResponder connected(NatsResponder responder) {
        responder.start();
        await().atMost(PATIENCE).until(() -> responder.health().getStatus().equals(Status.UP));
        return responder;
    }

    private NatsResponder responder(String address) {
        return new NatsResponder(address, "", new ServiceRequests(SUBJECT, "test", squares), squares);
    }

    private void stopsWithin(Duration duration, NatsResponder responder) {
        long start = System.nanoTime();
        responder.stop();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(duration);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> !threadsOfOthers.contains(thread))
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("nats")));
    }

    private void signal(String name) throws IOException, InterruptedException {
        String pid = Long.toString(server.process().pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor())
                .isZero();
    }
}
