package dev.chatterbox.report.prediction;

import dev.chatterbox.workloads.Workload;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The median time of a request: so much for itself, each of its messages, inputs and bytes, more where the processors
 * are busy (as much more as requests wait in an M/M/1 queue, ρ ÷ (1 − ρ)), and the round trips that its messages take
 * one after the other where more of them are to be sent than may be in flight.
 *
 * @param inFlight messages of a request that may be in flight at once
 * @param coefficients seconds for each of {@link #terms}
 */
record LatencyModel(int inFlight, double[] coefficients) {

    /** A queue before processors that are busier than that has no median that would stay. */
    static final double BUSIEST = 0.95;

    /**
     * @param busy the part of the machine's processors that the system uses, 0 to 1
     * @return for a request, its messages, its inputs and its bytes of payload, at rest and then in the queue
     */
    static double[] terms(Workload workload, double busy) {
        double[] own = {1, workload.messages(), workload.calls(), (double) workload.calls() * workload.payloadBytes()};
        double waiting = Math.min(busy, BUSIEST);
        double queue = waiting / (1 - waiting);
        return IntStream.range(0, 2 * own.length)
                .mapToDouble(k -> k < own.length ? own[k] : own[k - own.length] * queue)
                .toArray();
    }

    /** @param seconds the median under each workload */
    static LatencyModel fit(int inFlight, List<Workload> workloads, List<Double> busy, List<Double> seconds) {
        List<double[]> terms = IntStream.range(0, workloads.size())
                .mapToObj(i -> terms(workloads.get(i), busy.get(i)))
                .toList();
        double[] observed = IntStream.range(0, workloads.size())
                .mapToDouble(i -> Math.max(1e-6, seconds.get(i) - roundTrips(workloads.get(i), inFlight)))
                .toArray();
        return new LatencyModel(inFlight, LeastSquares.fit(terms, observed));
    }

    double seconds(Workload workload, double busy) {
        return roundTrips(workload, inFlight) + LeastSquares.sum(terms(workload, busy), coefficients);
    }

    private static double roundTrips(Workload workload, int inFlight) {
        double oneAfterTheOther = Math.ceil((double) workload.messages() / inFlight);
        return workload.distanceMillis() / 1e3 * oneAfterTheOther;
    }
}
