package dev.chatterbox.report.prediction;

import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Workload;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The median time of a request: so much for itself, each of its messages, inputs and bytes, more where the processors
 * are busy (as much more as requests wait in an M/M/1 queue, ρ ÷ (1 − ρ)). What a request waits for a distance is no
 * matter of measuring: it is added as it is. The load generator runs on the same processors, so its share counts too.
 *
 * @param coefficients seconds for each of {@link #terms}
 */
record LatencyModel(RowPath path, double[] coefficients) {

    /** A queue before processors that are busier than that has no median that would stay. */
    private static final double BUSIEST = 0.95;

    /**
     * @param busy the part of the machine's processors that system and load generator use, 0 to 1
     * @return for a request, its messages, those that are of a stream, its inputs and its bytes of payload, at rest and
     *     then in the queue
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

    /** @param machine its processors */
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
