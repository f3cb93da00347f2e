package dev.chatterbox.comparison;

import dev.chatterbox.processes.ProcessException;
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
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.Histogram;

/**
 * Load generators that carry out a slice together. Of N injectors each has its share of the users; at a rate, injector
 * number i sends the requests i, N + i, 2 N + i and so on. One that dies makes its slice invalid, and the others go on.
 */
final class Injectors implements AutoCloseable {

    private final List<SliceWorker> workers;

    Injectors(List<? extends SliceWorker> workers) {
        this.workers = new CopyOnWriteArrayList<>(workers);
    }

    /**
     * What the injectors did together.
     *
     * @param lost sentences about injectors that died
     */
    record Together(SliceResult result, List<String> lost) {}

    /** @throws ProcessException no injector is left */
    Together carryOut(Slice slice, Duration patience) {
        int count = workers.size();
        Map<SliceWorker, Slice> shares = new LinkedHashMap<>();
        List<String> lost = new ArrayList<>();
        List<SliceResult> results = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (!(slice.workload().load() instanceof Load.Users users && i >= users.count())) {
                shares.put(workers.get(i), share(slice, i, count));
            }
        }
        double apart = slice.workload().load() instanceof Load.Rate rate ? 1 / rate.perSecond() : 0;
        shares.forEach((worker, share) -> {
            tryTo(worker, lost, () -> worker.begin(share));
            Run.pause(apart);
        });
        shares.keySet().stream()
                .filter(workers::contains)
                .toList()
                .forEach(worker -> tryTo(worker, lost, () -> results.add(worker.result(slice, patience))));
        if (results.isEmpty()) {
            throw new ProcessException("No injector is left. " + String.join(" ", lost));
        }
        return new Together(sum(results), lost);
    }

    /** Leaves out a worker that is gone. */
    private void tryTo(SliceWorker worker, List<String> lost, Runnable work) {
        try {
            work.run();
        } catch (ProcessException e) {
            workers.remove(worker);
            worker.kill();
            lost.add("an injector is gone. " + e.getMessage());
        }
    }

    /** The part of a slice for injector number {@code i} of {@code n}. */
    static Slice share(Slice slice, int i, int n) {
        Load all = slice.workload().load();
        Load own = all instanceof Load.Users users
                ? new Load.Users((users.count() + n - 1 - i) / n)
                : all instanceof Load.Rate rate ? new Load.Rate(rate.perSecond() / n) : all;
        Workload workload = slice.workload().under(own);
        return new Slice(slice.id(), slice.variant(), workload, slice.requests(), slice.seconds(), slice.baseUrl());
    }

    /** The counts of all results, over the longest of their times. */
    static SliceResult sum(List<SliceResult> results) {
        Histogram latency = new Histogram(SliceResult.DIGITS);
        Map<String, Long> failures = new TreeMap<>();
        for (SliceResult result : results) {
            result.failures().forEach((kind, count) -> failures.merge(kind, count, Long::sum));
            latency.add(result.latency());
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
                latency,
                results.stream().mapToDouble(SliceResult::busiestThread).max().orElseThrow());
    }

    /** Ends all at once, from any thread. */
    void kill() {
        workers.forEach(SliceWorker::kill);
    }

    @Override
    public void close() {
        workers.forEach(SliceWorker::close);
    }
}
