package dev.chatterbox.comparison;

import dev.chatterbox.processes.Question;
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
 * The round trips of a network's links, measured in turns with those to the same ports without it: idle, and by few
 * questions in each window under load. Thread-safe.
 */
final class RoundTrips implements AutoCloseable {

    private static final int IDLE_QUESTIONS = 20;
    private static final int LEAST_QUESTIONS = 3;

    /** Of a link at one distance, about: fewer questions are asked over a long one. */
    private static final double IDLE_SECONDS = 1;

    private static final int QUESTIONS_A_WINDOW = 5;

    /** What a round trip under load may have beyond what was asked for: this, or a part of what a call takes. */
    private static final double MORE_SECONDS = 0.001;

    private static final double MORE_OF_A_CALL = 0.2;

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** What a link is measured under. */
    private record Key(String link, int distanceMillis) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byLink = link.compareTo(other.link);
            return byLink != 0 ? byLink : Integer.compare(distanceMillis, other.distanceMillis);
        }
    }

    /** Seconds over the network and without it. */
    private static final class Samples {

        private final List<@Nullable Double> over = new ArrayList<>();
        private final List<@Nullable Double> without = new ArrayList<>();

        synchronized void add(double over, double without) {
            this.over.add(over);
            this.without.add(without);
        }

        synchronized void addTo(Samples all) {
            all.over.addAll(over);
            all.without.addAll(without);
        }

        synchronized @Nullable Double seconds() {
            return Statistics.rounded(Statistics.difference(Statistics.median(over), Statistics.median(without)));
        }
    }

    private final List<NetworkLink> links;
    private final Map<Key, Samples> idle = new TreeMap<>();
    private final Map<CellPlan, Map<Key, Samples>> loaded = new HashMap<>();

    /** The cell in whose window questions are asked; null between windows. */
    private volatile @Nullable CellPlan asking;

    private final ExecutorService asker = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "round-trips");
        thread.setDaemon(true);
        return thread;
    });

    RoundTrips(List<NetworkLink> links) {
        this.links = links;
    }

    /** How long {@link #measureIdle} takes, about, in seconds. */
    static double idleSeconds(int links, int distanceMillis) {
        return links * questions(distanceMillis) * (distanceMillis + 5) / 1e3;
    }

    private static int questions(int distanceMillis) {
        return (int)
                Math.max(LEAST_QUESTIONS, Math.min(IDLE_QUESTIONS, 1e3 * IDLE_SECONDS / Math.max(1, distanceMillis)));
    }

    /** Asks over every link, at the distance that the network has now. */
    void measureIdle(int distanceMillis) {
        for (NetworkLink link : links) {
            Samples samples = new Samples();
            ask(link, distanceMillis, questions(distanceMillis), () -> true, samples);
            idle.put(new Key(link.name(), distanceMillis), samples);
        }
    }

    /** A window begins. */
    void start(CellPlan cell) {
        asking = cell;
        asker.execute(() -> {
            int distance = cell.workload().distanceMillis();
            for (NetworkLink link : links) {
                if (link.rows().contains(cell.row())) {
                    ask(
                            link,
                            distance,
                            QUESTIONS_A_WINDOW,
                            () -> asking == cell,
                            samples(cell, new Key(link.name(), distance)));
                }
            }
        });
    }

    private synchronized Samples samples(CellPlan cell, Key key) {
        return loaded.computeIfAbsent(cell, samples -> new TreeMap<>()).computeIfAbsent(key, samples -> new Samples());
    }

    /** The window is over: what is answered from now on does not count. */
    void stop() {
        asking = null;
    }

    private static void ask(
            NetworkLink link, int distanceMillis, int questions, BooleanSupplier goOn, Samples samples) {
        if (link.question().isEmpty()) {
            return;
        }
        Question question = link.question().get();
        for (int asked = 0; asked < questions && goOn.getAsBoolean(); asked++) {
            try {
                double without = question.roundTripNanos(link.behind(), TIMEOUT) / 1e9;
                double over = question.roundTripNanos(link.port(), TIMEOUT.plusMillis(distanceMillis)) / 1e9;
                if (goOn.getAsBoolean()) {
                    samples.add(over, without);
                }
            } catch (IOException e) {
                // It has no time for us, or is gone: the calls tell.
            }
        }
    }

    /** By link and distance. */
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
                    key.link, key.distanceMillis, before == null ? null : before.seconds(), samples.seconds()));
        });
        return results;
    }

    /**
     * Why a cell is not ranked, in words: its calls wait for the network for longer than was asked for.
     *
     * @param callSeconds that a call takes; null if unknown
     */
    synchronized List<String> doubts(CellPlan cell, @Nullable Double callSeconds) {
        double most = cell.workload().distanceMillis() / 1e3
                + Math.max(MORE_SECONDS, callSeconds == null ? 0 : MORE_OF_A_CALL * callSeconds);
        return loaded.getOrDefault(cell, Map.of()).values().stream()
                        .map(Samples::seconds)
                        .anyMatch(seconds -> seconds != null && seconds > most)
                ? List.of(
                        "the network is the limit: more than a fifth of a call's time is what it puts in beyond the distance")
                : List.of();
    }

    @Override
    public void close() {
        asker.shutdownNow();
    }
}
