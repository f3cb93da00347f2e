package dev.chatterbox.comparison;

import dev.chatterbox.network.NetworkLink;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.results.Quantile;
import dev.chatterbox.results.RoundTrip;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures what the network adds to the round trips over its links, before the blocks, while nothing is called: a
 * question over each link, and the same question to the same port past the network, alternately.
 */
class RoundTrips {

    private static final int QUESTIONS = 40;

    /** Over a long distance, fewer questions are asked, so that a link takes about a second. */
    private static final int LEAST_QUESTIONS = 3;

    /** A round trip may exceed the distance by this, or by a part of the distance if that is more. */
    private static final double MORE_SECONDS = 0.001;

    private static final double MORE_OF_THE_DISTANCE = 0.2;

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Map<String, Target> sides;
    private final List<RoundTrip> results = new ArrayList<>();

    /** @param sides the stacks by the names of their sides; of one stack the name is empty */
    RoundTrips(Map<String, Target> sides) {
        this.sides = new TreeMap<>(sides);
    }

    /** Measures every link, at the distance that the networks have now. */
    void measure(int distanceMillis) {
        sides.forEach((side, target) -> links(target)
                .forEach(link -> results.add(new RoundTrip(
                        Subject.sided(side, link.name()), distanceMillis, addedSeconds(link, distanceMillis)))));
    }

    private static List<NetworkLink> links(Target target) {
        return target.network().map(Toxiproxy::links).orElse(List.of());
    }

    /** The difference of the lower quartiles: other work of the machine only adds to round trips. Null if unknown. */
    private @Nullable Double addedSeconds(NetworkLink link, int distanceMillis) {
        if (link.probe().isEmpty()) {
            return null;
        }
        Probe probe = link.probe().get();
        int questions = Math.max(LEAST_QUESTIONS, Math.min(QUESTIONS, 1000 / Math.max(1, distanceMillis)));
        double[] over = new double[questions];
        double[] past = new double[questions];
        try {
            // Code that runs for the first time is slow at irregular moments.
            for (int question = 0; question < QUESTIONS; question++) {
                roundTripNanos(probe, link.behind(), TIMEOUT);
            }
            for (int question = 0; question < questions; question++) {
                past[question] = roundTripNanos(probe, link.behind(), TIMEOUT) / 1e9;
                over[question] = roundTripNanos(probe, link.port(), TIMEOUT.plusMillis(distanceMillis)) / 1e9;
            }
        } catch (IOException e) {
            return null;
        }
        return Quantile.of(0.25, DoubleStream.of(over)) - Quantile.of(0.25, DoubleStream.of(past));
    }

    /** Tests have times of their own. */
    long roundTripNanos(Probe probe, int port, Duration timeout) throws IOException {
        return probe.roundTripNanos(port, timeout);
    }

    /** The results, by link and distance. */
    List<RoundTrip> results() {
        return results.stream()
                .sorted(Comparator.comparing(RoundTrip::link).thenComparing(RoundTrip::distanceMillis))
                .toList();
    }

    /**
     * Sentences that say why a cell is not ranked: the network adds more than the distance to its calls, or no question
     * over it was answered. A responder that has no such question is not judged.
     */
    List<String> doubts(Subject cell) {
        int distance = cell.workload().distanceMillis();
        double most = distance / 1e3 + Math.max(MORE_SECONDS, MORE_OF_THE_DISTANCE * distance / 1e3);
        List<String> doubts = new ArrayList<>();
        for (NetworkLink link : links(cell.target())) {
            if (link.variants().contains(cell.variant()) && link.probe().isPresent()) {
                Double added = addedSeconds(Subject.sided(cell.side(), link.name()), distance);
                if (added == null) {
                    doubts.add("the network was not measured: no question over its link to %s was answered"
                            .formatted(link.name()));
                } else if (added > most) {
                    doubts.add("the network is the limit: over its link to %s it adds %.1f ms instead of %d ms"
                            .formatted(link.name(), 1e3 * added, distance));
                }
            }
        }
        return doubts;
    }

    private @Nullable Double addedSeconds(String link, int distanceMillis) {
        return results.stream()
                .filter(trip -> trip.link().equals(link) && trip.distanceMillis() == distanceMillis)
                .findFirst()
                .map(RoundTrip::idleSeconds)
                .orElse(null);
    }
}
