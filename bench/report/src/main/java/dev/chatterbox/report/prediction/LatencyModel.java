package dev.chatterbox.report.prediction;

import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Workload;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The median time of a request: a time for itself and for each of its messages, inputs and bytes. These times grow with
 * the load of the processors, as the waiting in an M/M/1 queue: ρ ÷ (1 − ρ). The load generator uses the same
 * processors, so its share counts too. The time that a request waits for a distance needs no model and is added as it
 * is.
 *
 * @param coefficients seconds for each of {@link #terms}
 */
record LatencyModel(RowPath path, double[] coefficients) {

    /** Processors count as at most so busy: the queue before busier ones has no stable median. */
    private static final double BUSIEST = 0.95;

    /**
     * @param busy the part of the machine's processors that system and load generator use, 0 to 1
     * @return one request, its messages outside a stream, its messages of a stream, its inputs and its bytes of
     *     payload; then the same numbers times the length of the queue
     */
    static double[] terms(Workload workload, double busy) {
        boolean stream = workload.exchange() == Exchange.STREAM;
        double[] own = {
            1,
            stream ? 0 : workload.messages(),
            stream ? workload.messages() : 0,
            workload.calls(),
            (double) workload.calls() * workload.payloadBytes()
        };
        double waiting = Math.min(busy, BUSIEST);
        double queue = waiting / (1 - waiting);
        return IntStream.range(0, 2 * own.length)
                .mapToDouble(k -> k < own.length ? own[k] : own[k - own.length] * queue)
                .toArray();
    }

    /** @param machine how many processors the machine has */
    static LatencyModel fit(RowPath path, int machine, List<Observation> observations) {
        List<double[]> terms = observations.stream()
                .map(one -> terms(one.workload(), (one.system() + one.generator()) / machine))
                .toList();
        double[] observed = observations.stream()
                .mapToDouble(one -> Math.max(1e-6, one.p50()))
                .toArray();
        return new LatencyModel(path, LeastSquares.fit(terms, observed).coefficients());
    }

    double seconds(Workload workload, double busy) {
        return path.seconds(workload) + LeastSquares.sum(terms(workload, busy), coefficients);
    }
}
