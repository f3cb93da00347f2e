package dev.chatterbox.comparison;

import dev.chatterbox.network.NetworkLink;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.results.Quantile;
import dev.chatterbox.results.RoundTrip;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the round trips over the network's links, in turns with round trips to the same ports past the network: many
 * before the blocks, while nothing is called, and a few in each slice. Thread-safe.
 */
class RoundTrips implements AutoCloseable {

    private static final int IDLE_QUESTIONS = 40;

    /** Questions before those that count, because code that runs for the first time is slow at irregular moments. */
    private static final int FIRST_QUESTIONS = 40;

    private static final int LEAST_QUESTIONS = 3;

    /** About how long a link is measured at one distance: over a long distance, fewer questions are asked. */
    private static final double IDLE_SECONDS = 1;

    private static final int QUESTIONS_A_SLICE = 5;

    /** A round trip under load may exceed the distance by this, or by a part of a call's duration if that is more. */
    private static final double MORE_SECONDS = 0.001;

    private static final double MORE_OF_A_CALL = 0.2;

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** A link at one distance. */
    private record Key(String link, int distanceMillis) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byLink = link.compareTo(other.link);
            return byLink != 0 ? byLink : Integer.compare(distanceMillis, other.distanceMillis);
        }
    }

    /** Seconds of round trips over the network and past it. */
    private static final class Samples {

        private final List<Double> over = new ArrayList<>();
        private final List<Double> without = new ArrayList<>();

        synchronized void add(double over, double without) {
            this.over.add(over);
            this.without.add(without);
        }

        synchronized void addTo(Samples all) {
            all.over.addAll(over);
            all.without.addAll(without);
        }

        /** The difference under load: the median includes the waiting in queues, which the measurement is about. */
        synchronized @Nullable Double median() {
            return difference(over, without, 0.5);
        }

        /** The difference without load: other work of the machine only adds to round trips, so low values are taken. */
        synchronized @Nullable Double lowerQuartile() {
            return difference(over, without, 0.25);
        }
    }

    /** The difference of the quantiles {@code part}, such as 0.5 for the medians; null if there are no values. */
    private static @Nullable Double difference(List<Double> over, List<Double> without, double part) {
        return over.isEmpty() ? null : Double.valueOf(quantile(part, over) - quantile(part, without));
    }

    private static double quantile(double part, List<Double> seconds) {
        return Quantile.of(part, seconds.stream().mapToDouble(Double::doubleValue));
    }

    /**
     * A question over the network that waits for its answer.
     *
     * @param without seconds that the same question took past the network just before
     * @param sinceNanos when the question was to be sent
     */
    private record OpenQuestion(Samples samples, int distanceMillis, double without, long sinceNanos) {}

    private final List<NetworkLink> links;
    private final Map<Key, Samples> idle = new TreeMap<>();
    private final Map<String, Map<Key, Samples>> loaded = new HashMap<>();

    /** The cell in whose slice questions are asked; null between slices. */
    private volatile @Nullable Subject asking;

    private @Nullable OpenQuestion open;

    private final ExecutorService asker = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "round-trips");
        thread.setDaemon(true);
        return thread;
    });

    RoundTrips(List<NetworkLink> links) {
        this.links = links;
    }

    /** About how many seconds {@link #measureIdle} takes. */
    static double idleSeconds(int links, int distanceMillis) {
        return links * (questions(distanceMillis) * (distanceMillis + 5) + FIRST_QUESTIONS * 3) / 1e3;
    }

    private static int questions(int distanceMillis) {
        return (int)
                Math.max(LEAST_QUESTIONS, Math.min(IDLE_QUESTIONS, 1e3 * IDLE_SECONDS / Math.max(1, distanceMillis)));
    }

    /** Asks questions over every link, at the distance that the network has now. */
    void measureIdle(int distanceMillis) {
        for (NetworkLink link : links) {
            for (int question = 0; question < FIRST_QUESTIONS; question++) {
                askPast(link);
            }
            Samples samples = new Samples();
            for (int question = 0; question < questions(distanceMillis); question++) {
                ask(link, distanceMillis, () -> true, samples);
            }
            idle.put(new Key(link.name(), distanceMillis), samples);
        }
    }

    /** Asks questions over the cell's links, from the slice's begin until {@link #stop}. */
    void start(Subject cell) {
        asking = cell;
        asker.execute(() -> {
            int distance = cell.workload().distanceMillis();
            List<NetworkLink> own = links(cell);
            for (int question = 0; question < QUESTIONS_A_SLICE; question++) {
                for (NetworkLink link : own) {
                    ask(link, distance, () -> asking == cell, samples(cell, new Key(link.name(), distance)));
                }
            }
        });
    }

    private List<NetworkLink> links(Subject cell) {
        return links.stream().filter(link -> link.rows().contains(cell.row())).toList();
    }

    private synchronized Samples samples(Subject cell, Key key) {
        return loaded.computeIfAbsent(cell.id(), samples -> new TreeMap<>())
                .computeIfAbsent(key, samples -> new Samples());
    }

    /** Ends the questions with their slice. A question that is still open counts with the time that it has waited. */
    synchronized void stop() {
        asking = null;
        giveUp();
    }

    private void ask(NetworkLink link, int distanceMillis, BooleanSupplier goOn, Samples samples) {
        if (link.probe().isEmpty() || !goOn.getAsBoolean()) {
            return;
        }
        Probe probe = link.probe().get();
        try {
            double without = roundTripNanos(probe, link.behind(), TIMEOUT) / 1e9;
            openQuestion(new OpenQuestion(samples, distanceMillis, without, System.nanoTime()), goOn);
            answered(roundTripNanos(probe, link.port(), TIMEOUT.plusMillis(distanceMillis)) / 1e9);
        } catch (IOException e) {
            // The other end is too busy or gone; the calls will show which.
            giveUp();
        }
    }

    /** Tests have times of their own. */
    long roundTripNanos(Probe probe, int port, Duration timeout) throws IOException {
        return probe.roundTripNanos(port, timeout);
    }

    private void askPast(NetworkLink link) {
        try {
            if (link.probe().isPresent()) {
                roundTripNanos(link.probe().get(), link.behind(), TIMEOUT);
            }
        } catch (IOException e) {
            // The questions that count will show it.
        }
    }

    private synchronized void openQuestion(OpenQuestion question, BooleanSupplier goOn) {
        open = goOn.getAsBoolean() ? question : null;
    }

    private synchronized void answered(double seconds) {
        if (open != null) {
            open.samples.add(seconds, open.without);
            open = null;
        }
    }

    /**
     * Gives up an open question. It takes at least as long as it has waited, so it counts with this time. If it has not
     * waited longer than the distance, nothing is known about it.
     */
    private synchronized void giveUp() {
        if (open != null) {
            double waited = (System.nanoTime() - open.sinceNanos - Probe.OPENING_NANOS) / 1e9;
            if (waited > open.distanceMillis / 1e3) {
                open.samples.add(waited, open.without);
            }
            open = null;
        }
    }

    /** The results by link and distance. */
    synchronized List<RoundTrip> results() {
        Map<Key, Samples> all = new TreeMap<>();
        idle.keySet().forEach(key -> all.put(key, new Samples()));
        loaded.values()
                .forEach(cell ->
                        cell.forEach((key, samples) -> samples.addTo(all.computeIfAbsent(key, none -> new Samples()))));
        List<RoundTrip> results = new ArrayList<>();
        all.forEach((key, samples) -> {
            Samples before = idle.get(key);
            results.add(new RoundTrip(
                    key.link, key.distanceMillis, before == null ? null : before.lowerQuartile(), samples.median()));
        });
        return results;
    }

    /**
     * Sentences that say why a cell is not ranked: the network makes its calls wait for longer than the distance, or
     * nobody knows for how long.
     *
     * @param callSeconds the duration of a call; null if unknown
     */
    synchronized List<String> doubts(Subject cell, @Nullable Double callSeconds) {
        int distance = cell.workload().distanceMillis();
        double most = distance / 1e3 + Math.max(MORE_SECONDS, callSeconds == null ? 0 : MORE_OF_A_CALL * callSeconds);
        Map<Key, Samples> own = loaded.getOrDefault(cell.id(), Map.of());
        boolean unknown = false;
        boolean late = false;
        for (NetworkLink link : links(cell)) {
            Samples samples = own.get(new Key(link.name(), distance));
            Double seconds = samples == null ? null : samples.median();
            unknown |= link.probe().isPresent() && seconds == null;
            late |= seconds != null && seconds > most;
        }
        List<String> doubts = new ArrayList<>();
        if (unknown) {
            doubts.add("the network was not measured: no question over a link of it was answered in a slice");
        }
        if (late) {
            doubts.add(
                    "the network is the limit: more than a fifth of a call's time is what it puts in beyond the distance");
        }
        return doubts;
    }

    @Override
    public void close() {
        asker.shutdownNow();
    }
}
