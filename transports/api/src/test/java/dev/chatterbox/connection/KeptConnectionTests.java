package dev.chatterbox.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KeptConnectionTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(2);

    private static final String AWAY = "no connection to the broker";

    private final List<Scripted> opened = new CopyOnWriteArrayList<>();
    private final AtomicInteger ended = new AtomicInteger();
    private KeptConnection<Scripted> connection = connection(this::open);

    private KeptConnection<Scripted> connection(Callable<Scripted> opener) {
        return new KeptConnection<>("the broker", PAUSE, STOP_WITHIN, opener, ended::incrementAndGet);
    }

    private Scripted open() {
        Scripted next = new Scripted();
        opened.add(next);
        return next;
    }

    private static final class Scripted implements BrokerConnection {

        private final CountDownLatch broken = new CountDownLatch(1);
        private volatile boolean closed;
        private volatile boolean interruptedAtTheEnd;

        @Override
        public void awaitEnd() throws InterruptedException {
            broken.await();
        }

        @Override
        public void close() {
            interruptedAtTheEnd = Thread.currentThread().isInterrupted();
            closed = true;
        }
    }

    @AfterEach
    void stop() {
        connection.stop();
    }

    @Test
    void opensAnotherWhenOneHasBroken() {
        connection.start();
        await().until(() -> connection.current() != null);
        Scripted first = opened.get(0);

        first.broken.countDown();

        await().until(() -> opened.size() == 2 && connection.current() == opened.get(1));
        assertThat(first.closed).isTrue();
        assertThat(ended).hasValue(1);
        assertThat(connection.disconnectedMessage()).isEqualTo(AWAY);
    }

    static List<Throwable> whatAnAttemptMayThrow() {
        return List.of(
                new IOException("away"),
                new IllegalStateException("nobody thought of this"),
                new NoClassDefFoundError("nor of this"),
                new InterruptedException("from a library, without a stop"));
    }

    /** A loop that catches only the exceptions of its library ends for good at another one. */
    @ParameterizedTest
    @MethodSource("whatAnAttemptMayThrow")
    void triesAgainWhateverAnAttemptThrows(Throwable failure) {
        AtomicInteger attempts = new AtomicInteger();
        connection = connection(() -> {
            if (attempts.incrementAndGet() <= 2) {
                KeptConnectionTests.<RuntimeException>doThrow(failure);
            }
            return open();
        });
        connection.start();

        await().until(() -> connection.current() != null);
        assertThat(attempts).hasValue(3);
        assertThat(ended).hasValue(2);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void doThrow(Throwable failure) throws E {
        throw (E) failure;
    }

    @Test
    void saysWhyTheBrokerRefusedTheLastAttemptAndNotWhatAnOutageThrows() {
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch refuses = new CountDownLatch(1);
        connection = connection(() -> {
            attempts.incrementAndGet();
            throw refuses.getCount() > 0 ? new IOException("away") : new RefusedException("wrong password");
        });
        connection.start();
        await().until(() -> attempts.get() > 1);
        assertThat(connection.disconnectedMessage()).isEqualTo(AWAY);

        refuses.countDown();

        await().until(() -> connection.disconnectedMessage().equals(AWAY + ": wrong password"));
        assertThat(connection.current()).isNull();
    }

    @Test
    void aListenerThatThrowsDoesNotEndIt() {
        connection = new KeptConnection<>("the broker", PAUSE, STOP_WITHIN, this::open, () -> {
            throw new IllegalStateException("from a listener");
        });
        connection.start();
        await().until(() -> connection.current() != null);

        opened.get(0).broken.countDown();

        await().until(() -> opened.size() == 2);
    }

    @Test
    void isClosedAtTheStopByAThreadThatIsNotInterrupted() {
        connection.start();
        await().until(() -> connection.current() != null);

        connection.stop();

        assertThat(opened).singleElement().satisfies(last -> {
            assertThat(last.closed).isTrue();
            assertThat(last.interruptedAtTheEnd).isFalse();
        });
        assertThat(connection.current()).isNull();
        assertThat(connection.isRunning()).isFalse();
    }

    /** A connection may be made while the client stops: nothing else would close it. */
    @Test
    void whatIsOpenedDuringTheStopIsClosed() {
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        connection = connection(() -> {
            opening.countDown();
            boolean interrupted = false;
            while (go.getCount() > 0) {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                    go.countDown();
                }
            }
            assertThat(interrupted).isTrue();
            return open();
        });
        connection.start();
        await().until(() -> opening.getCount() == 0);

        connection.stop();

        await().until(() -> opened.size() == 1 && opened.get(0).closed);
        assertThat(connection.current()).isNull();
    }

    @Test
    void anOpenerThatHangsHoldsTheStopNoLongerThanItsBound() {
        CountDownLatch never = new CountDownLatch(1);
        connection = new KeptConnection<>(
                "the broker",
                PAUSE,
                Duration.ofMillis(50),
                () -> {
                    while (true) {
                        try {
                            never.await();
                        } catch (InterruptedException e) {
                            // The library ignores the interrupt.
                        }
                    }
                },
                () -> {});
        connection.start();
        await().until(connection::isRunning);

        assertThat(CompletableFuture.runAsync(connection::stop)).succeedsWithin(PATIENCE);
    }

    /** As long as a busy machine takes. */
    private static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE);
    }
}
