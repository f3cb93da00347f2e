package dev.chatterbox.square.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.ArtemisBroker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.square.common.Faults;
import dev.chatterbox.square.common.KeptResponder;
import dev.chatterbox.square.common.SharedBroker;
import dev.chatterbox.square.common.SquareResponder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

/** What only this JVM can see: that a responder that has stopped leaves no thread and no connection. */
@Tag("long")
class ArtemisShutdownIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    private final RunningBroker broker = SharedBroker.of(new ArtemisBroker());
    private final String url = broker.environment().get("ARTEMIS_URL");
    private final SquareResponder squares = new SquareResponder("test", Faults.NONE, new SimpleMeterRegistry());
    private final Set<Thread> threadsOfOthers = Thread.getAllStackTraces().keySet();

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
    void leavesNothingBehindWhenItsBrokerIsFrozen() throws Exception {
        KeptResponder responder = connected();
        signal("STOP");
        try {
            stops(responder);
        } finally {
            signal("CONT");
        }
    }

    @Test
    void leavesNothingBehindBeforeItsBrokerIsThere() {
        broker.kill();
        KeptResponder responder = responder(url);
        responder.start();
        stops(responder);
    }

    @Test
    void leavesNothingBehindWhereItsBrokersNameIsUnknown() {
        KeptResponder responder = responder("tcp://no-such-host.invalid:5445");
        responder.start();
        assertThat(responder.health().getStatus()).isEqualTo(Status.DOWN);
        stops(responder);
    }

    private KeptResponder connected() {
        KeptResponder responder = responder(url);
        responder.start();
        await().atMost(PATIENCE).until(() -> responder.health().getStatus().equals(Status.UP));
        return responder;
    }

    private KeptResponder responder(String url) {
        return new SquareServiceArtemis().artemisResponder(url, "test.squares", squares);
    }

    private void stops(KeptResponder responder) {
        long start = System.nanoTime();
        responder.stop();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> !threadsOfOthers.contains(thread))
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.contains("ActiveMQ") || name.startsWith("connection to")));
    }

    private void signal(String name) throws IOException, InterruptedException {
        String pid = Long.toString(broker.process().pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor())
                .isZero();
    }
}
