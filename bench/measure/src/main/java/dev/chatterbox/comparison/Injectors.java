package dev.chatterbox.comparison;

import dev.chatterbox.workloads.Latencies;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Load generators that carry out a slice together. Of N injectors each has its share of the users; at a rate, injector
 * number i sends the requests i, N + i, 2 N + i and so on. One that dies makes its slice invalid, and the others go on.
 */
final class Injectors implements AutoCloseable {

    /** A slice begins so much later than it is ordered, so that every injector knows it by then. */
    private static final long AHEAD_MILLIS = 1000;

    /** With a larger difference, the requests of several injectors would not come as ordered. */
    private static final double MOST_MILLIS_APART = 50;

    private final List<Worker> workers;
    private final Map<Worker, Double> millisAhead = new LinkedHashMap<>();

    /** @throws ComparisonException the clock of an injector's machine is too far from this one's */
    Injectors(List<Worker> workers) {
        this.workers = new ArrayList<>(workers);
        for (Worker worker : workers) {
            double ahead = workers.size() == 1 ? 0 : worker.millisAhead();
            if (Math.abs(ahead) > MOST_MILLIS_APART) {
                throw new ComparisonException(
                        "The clock of the machine of %s is %.0f ms from this one's; at most %.0f are allowed. Run NTP on both."
                                .formatted(worker.name(), ahead, MOST_MILLIS_APART));
            }
            millisAhead.put(worker, ahead);
        }
    }

    /** How many seconds after its order a slice begins. */
    double secondsAhead() {
        return workers.size() == 1 ? 0 : AHEAD_MILLIS / 1e3;
    }

    /**
     * What the injectors did together.
     *
     * @param lost sentences about injectors that died
     */
    record Together(SliceResult result, List<String> lost) {}

    /** @throws ComparisonException no injector is left */
    Together carryOut(Slice slice, Duration patience) {
        if (workers.size() == 1) {
            return new Together(workers.get(0).carryOut(slice, patience), List.of());
        }
        long begin = System.currentTimeMillis() + AHEAD_MILLIS;
        List<String> lost = new ArrayList<>();
        List<Worker> ordered = new ArrayList<>();
        for (int i = 0; i < workers.size(); i++) {
            Worker worker = workers.get(i);
            if (slice.workload().load() instanceof Load.Users users && i >= users.count()) {
                break;
            }
            Slice share = share(slice, i, workers.size());
            double shift = slice.workload().load() instanceof Load.Rate rate ? 1e3 * i / rate.perSecond() : 0;
            if (tryTo(
                    () -> worker.begin(share, Math.round(begin + millisAhead.getOrDefault(worker, 0.0) + shift)),
                    lost)) {
                ordered.add(worker);
            }
        }
        List<SliceResult> results = new ArrayList<>();
        for (Worker worker : ordered) {
            tryTo(() -> results.add(worker.result(slice, patience.plusMillis(AHEAD_MILLIS))), lost);
        }
        workers.removeIf(worker -> !worker.isAlive());
        if (results.isEmpty()) {
            throw new ComparisonException("No injector is left. " + String.join(" ", lost));
        }
        return new Together(sum(results), lost);
    }

    private static boolean tryTo(Runnable work, List<String> lost) {
        try {
            work.run();
            return true;
        } catch (ComparisonException e) {
            lost.add("an injector is gone. " + e.getMessage());
            return false;
        }
    }

    /** The part of a slice for injector number {@code i} of {@code n}. */
    static Slice share(Slice slice, int i, int n) {
        Load all = slice.workload().load();
        Load own = all instanceof Load.Users users
                ? new Load.Users((users.count() + n - 1 - i) / n)
                : all instanceof Load.Rate rate ? new Load.Rate(rate.perSecond() / n) : all;
        Workload workload = slice.workload().under(own);
        return new Slice(slice.id(), slice.row(), workload, slice.requests(), slice.seconds(), slice.baseUrl());
    }

    /** The counts of all results, over the longest of their times. */
    static SliceResult sum(List<SliceResult> results) {
        Histogram latency = new Histogram(3);
        Map<String, Long> failures = new TreeMap<>();
        for (SliceResult result : results) {
            result.failures().forEach((kind, count) -> failures.merge(kind, count, Long::sum));
            latency.add(Latencies.histogram(result.latency()));
        }
        return new SliceResult(
                results.get(0).id(),
                results.stream().mapToDouble(SliceResult::seconds).max().orElseThrow(),
                results.stream().mapToLong(SliceResult::right).sum(),
                failures,
                results.stream()
                        .mapToLong(SliceResult::unansweredNanos)
                        .filter(nanos -> nanos > 0)
                        .min()
                        .orElse(0),
                Latencies.text(latency),
                results.stream().mapToDouble(SliceResult::busiestThread).max().orElseThrow(),
                0);
    }

    /** Ends all at once, from any thread. */
    void kill() {
        workers.forEach(Worker::kill);
    }

    @Override
    public void close() {
        workers.forEach(Worker::close);
    }
}
