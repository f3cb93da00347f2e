package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.DOUBLE;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.processes.Probe;
import dev.chatterbox.results.RoundTrip;
import dev.chatterbox.testbed.NetworkLink;
import dev.chatterbox.testbed.Target;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RoundTripsTests {

    private static final Subject CELL = subject("a", Workload.parse("calls=1 users=1 distance=7ms"));
    private static final String UNKNOWN =
            "the network was not measured: no question over a link of it was answered in a slice";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final int NETWORK = 1;
    private static final int BEHIND = 2;

    /** Questions take a millisecond past the network, and seven more over it, once they are let through. */
    private final class TimedTrips extends RoundTrips {

        TimedTrips(List<NetworkLink> links) {
            super(links);
        }

        @Override
        long roundTripNanos(Probe probe, int port, Duration timeout) throws IOException {
            if (port == BEHIND) {
                questionsBehind.incrementAndGet();
                return 1_000_000;
            }
            questions.incrementAndGet();
            if (gone) {
                throw new IOException("nobody answers");
            }
            try {
                released.await();
            } catch (InterruptedException closed) {
                throw new IOException(closed);
            }
            return 8_000_000;
        }
    }

    private static Subject subject(String row, Workload workload) {
        Target target = new Target(
                Target.Service.of(new Target.Process("aggregator", 0, 0)),
                List.of(),
                List.of(),
                Optional.empty(),
                Map.of());
        return new Subject(Optional.empty(), target, row, false, workload);
    }

    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger questionsBehind = new AtomicInteger();
    private volatile boolean gone;
    private final RoundTrips trips = new TimedTrips(List.of(
            link("nats", Optional.of(new Probe("?", "!")), "a"),
            link("silent", Optional.empty(), "a"),
            link("other", Optional.of(new Probe("?", "!")), "b")));

    private static NetworkLink link(String name, Optional<Probe> probe, String row) {
        return new NetworkLink(name, NETWORK, BEHIND, probe, Set.of(row));
    }

    @AfterEach
    void close() {
        released.countDown();
        trips.close();
    }

    @Test
    void tellWhatTheNetworkPutsIn() {
        released.countDown();

        trips.measureIdle(7);

        assertThat(trips.results()).extracting(RoundTrip::link).containsExactly("nats", "other", "silent");
        assertThat(trips.results().get(0)).satisfies(trip -> {
            assertThat(trip.distanceMillis()).isEqualTo(7);
            assertThat(trip.idleSeconds()).asInstanceOf(DOUBLE).isCloseTo(0.007, within(1e-9));
            assertThat(trip.loadedSeconds()).isNull();
        });
        assertThat(trips.results().get(2).idleSeconds()).isNull();
        assertThat(questions).as("40 over each of two links").hasValue(80);
        assertThat(questionsBehind).as("in turns, after 40 that do not count").hasValue(160);
    }

    @Test
    void areMeasuredUnderLoadOverTheLinksOfTheRowAlone() {
        released.countDown();

        trips.start(CELL);

        await().atMost(PATIENCE).until(() -> questions.get() == 5);
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(trips.results()).extracting(RoundTrip::link).containsExactly("nats", "silent");
            assertThat(trips.results().get(0).idleSeconds()).isNull();
            assertThat(trips.results().get(0).loadedSeconds())
                    .asInstanceOf(DOUBLE)
                    .isCloseTo(0.007, within(1e-9));
            assertThat(trips.results().get(1).loadedSeconds()).isNull();
        });
    }

    /** The planted flaw: a network that adds 7 ms in place of 5 ms. */
    @Test
    void nameANetworkForWhichCallsWaitLongerThanWasAskedFor() {
        released.countDown();
        Subject five = subject("a", Workload.parse("calls=1 users=1 distance=5ms"));
        Subject idleOnly = subject("a", Workload.parse("calls=2 users=1 distance=5ms"));

        trips.start(five);

        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(trips.doubts(five, 0.006))
                                .containsExactly(
                                        "the network is the limit: more than a fifth of a call's time is what it puts in beyond the distance"));
        assertThat(trips.doubts(five, null)).isNotEmpty();
        assertThat(trips.doubts(five, 1.0))
                .as("beside a call of a second it is nothing")
                .isEmpty();
        assertThat(trips.doubts(idleOnly, 0.006)).containsExactly(UNKNOWN);
    }

    @Test
    void countNothingThatIsAnsweredAfterTheSlice() {
        Workload far = CELL.workload().with(Dimension.DISTANCE, 10_000);
        trips.start(subject("a", far));
        await().atMost(PATIENCE).until(() -> questions.get() == 1);

        trips.stop();
        released.countDown();
        Subject next = subject("b", far);
        trips.start(next);

        await().atMost(PATIENCE).until(() -> questions.get() == 6);
        await().atMost(PATIENCE)
                .until(() -> trips.results().stream()
                        .anyMatch(trip -> trip.link().equals("other") && trip.loadedSeconds() != null));
        assertThat(trips.results().get(0)).isEqualTo(new RoundTrip("nats", 10_000, null, null));
    }

    /** The planted flaw: a network that answers nothing at all while the slice lasts. */
    @Test
    void countAQuestionThatIsOpenAtTheEndByHowLongItHasWaited() {
        trips.start(CELL);
        await().atMost(PATIENCE).until(() -> questions.get() == 1);
        long since = System.nanoTime();
        await().atMost(PATIENCE)
                .until(() -> System.nanoTime() - since > Duration.ofMillis(100).toNanos());

        trips.stop();

        assertThat(trips.results().get(0).loadedSeconds()).asInstanceOf(DOUBLE).isGreaterThan(0.09);
        assertThat(trips.doubts(CELL, 0.006)).singleElement().asString().startsWith("the network is the limit");
    }

    @Test
    void knowNothingOfANetworkOverWhichNoQuestionWasAnswered() {
        gone = true;

        trips.start(CELL);
        trips.stop();

        assertThat(trips.doubts(CELL, 0.006)).containsExactly(UNKNOWN);
        assertThat(trips.doubts(subject("c", CELL.workload()), 0.006))
                .as("a row without links")
                .isEmpty();
    }

    @Test
    void doubtNothingWhereEveryLinkWasMeasured() {
        released.countDown();

        trips.start(CELL);

        await().atMost(PATIENCE)
                .until(() -> trips.results().stream()
                        .anyMatch(trip -> trip.link().equals("nats") && trip.loadedSeconds() != null));
        assertThat(trips.doubts(CELL, 1.0))
                .as("the silent link has no question")
                .isEmpty();
    }
}
