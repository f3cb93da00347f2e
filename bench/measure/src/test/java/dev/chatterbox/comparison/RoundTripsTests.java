package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.DOUBLE;

import dev.chatterbox.network.NetworkLink;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.results.RoundTrip;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The links of the variant a are to nats and to a silent server, that of the variant b is to another one. */
class RoundTripsTests {

    private static final int BASE = 1;
    private static final int THIS = 2;
    private static final int BEHIND = 3;

    /** What the network puts into a round trip over a port, in milliseconds; nobody answers where it is not known. */
    private final Map<Integer, Integer> millis = new HashMap<>(Map.of(BASE, 7, THIS, 7));

    private final Map<Integer, Integer> questions = new HashMap<>();

    private RoundTrips trips(Map<String, Target> sides) {
        return new RoundTrips(sides) {
            @Override
            long roundTripNanos(Probe probe, int port, Duration timeout) throws IOException {
                questions.merge(port, 1, Integer::sum);
                if (port == BEHIND) {
                    return 1_000_000;
                }
                if (!millis.containsKey(port)) {
                    throw new IOException("nobody answers");
                }
                return 1_000_000 + millis.get(port) * 1_000_000L;
            }
        };
    }

    private static Target target(int port) {
        Optional<Probe> probe = Optional.of(new Probe("?", "!"));
        List<NetworkLink> links = List.of(
                new NetworkLink("nats", port, BEHIND, probe, Set.of("a")),
                new NetworkLink("silent", port, BEHIND, Optional.empty(), Set.of("a")),
                new NetworkLink("other", port, BEHIND, probe, Set.of("b")));
        return new Target(
                Target.Service.of(Member.of("aggregator", 0, 0)),
                List.of(),
                List.of(),
                Optional.of(new Toxiproxy(0, 0, links)),
                Map.of());
    }

    private static Subject subject(String side, Target target, String variant, int distanceMillis) {
        return new Subject(
                side,
                target,
                variant,
                false,
                Workload.parse("calls=1 users=1").with(Dimension.DISTANCE, distanceMillis));
    }

    @Test
    void tellWhatTheNetworkPutsIn() {
        RoundTrips trips = trips(Map.of("", target(BASE)));

        trips.measure(7);

        assertThat(trips.results()).extracting(RoundTrip::link).containsExactly("nats", "other", "silent");
        assertThat(trips.results().get(0).distanceMillis()).isEqualTo(7);
        assertThat(trips.results().get(0).idleSeconds()).asInstanceOf(DOUBLE).isCloseTo(0.007, within(1e-9));
        assertThat(trips.results().get(2).idleSeconds()).isNull();
        assertThat(questions)
                .as("40 over each of two links, alternately with as many past it, after 40 that do not count")
                .isEqualTo(Map.of(BASE, 80, BEHIND, 160));
    }

    /** The planted flaw: a network that adds 7 ms instead of 5 ms. */
    @Test
    void nameANetworkThatAddsMoreThanWasAskedFor() {
        Target target = target(BASE);
        RoundTrips trips = trips(Map.of("", target));
        Subject cell = subject("", target, "a", 5);

        trips.measure(5);

        assertThat(trips.doubts(cell))
                .containsExactly("the network is the limit: over its link to nats it adds 7.0 ms instead of 5 ms");
        trips.measure(6);
        assertThat(trips.doubts(subject("", target, "a", 6)))
                .as("a millisecond, or a fifth of the distance, is no matter")
                .isEmpty();
        assertThat(trips.doubts(subject("", target, "c", 5)))
                .as("a variant without links")
                .isEmpty();
    }

    /** Both sides have links of the same name. */
    @Test
    void keepTheSidesApart() {
        Target base = target(BASE);
        Target own = target(THIS);
        millis.put(BASE, 12);
        RoundTrips trips = trips(Map.of("base", base, "this", own));

        trips.measure(7);

        assertThat(trips.results())
                .extracting(RoundTrip::link)
                .containsExactly("base:nats", "base:other", "base:silent", "this:nats", "this:other", "this:silent");
        assertThat(trips.doubts(subject("base", base, "a", 7)))
                .containsExactly("the network is the limit: over its link to nats it adds 12.0 ms instead of 7 ms");
        assertThat(trips.doubts(subject("this", own, "a", 7))).isEmpty();
    }

    @Test
    void knowNothingOfALinkOverWhichNoQuestionWasAnswered() {
        Target target = target(BASE);
        RoundTrips trips = trips(Map.of("", target));
        millis.clear();

        trips.measure(7);

        String unknown = "the network was not measured: no question over its link to nats was answered";
        assertThat(trips.doubts(subject("", target, "a", 7))).containsExactly(unknown);
        assertThat(trips.doubts(subject("", target, "a", 5)))
                .as("at a distance that was not measured")
                .containsExactly(unknown);
    }
}
