package dev.chatterbox.report.prediction;

import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Workload;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The processors that a process uses under a load of the open model: those that it uses anyway, and so much for each
 * request, message, input and byte, where a part of a message's cost falls with the calls in flight.
 *
 * @param idle processors that it uses when nothing is called
 * @param fit its coefficients are processor-seconds for each of {@link #terms}
 */
record CostModel(double idle, Batching batching, LeastSquares fit) {

    /** What each of {@link #terms} is, in microseconds of processor time; of the bytes in nanoseconds. */
    static final List<String> NAMES =
            List.of("request", "message", "message of a stream", "call", "byte", "message alone", "stream");

    /** What cannot be told apart is not predicted. Belsley, Kuh and Welsch call more than 100 very strong dependence. */
    static final double MOST_CONDITION = 100;

    /**
     * What happens in a second: requests; messages, but for those of streams; messages of streams; inputs; bytes of
     * payload; messages of whatever kind, as far as they share nothing with others; streams that are opened.
     *
     * @param workload of the open model, at a rate
     * @param batches whether some messages carry several inputs: else an input is a message, and counts as that alone
     */
    private static double[] terms(Workload workload, Batching batching, boolean batches) {
        double requests = Range.rate(workload);
        double messages = requests * workload.messages();
        double inputs = requests * workload.calls();
        boolean stream = workload.exchange() == Exchange.STREAM;
        return new double[] {
            requests,
            stream ? 0 : messages,
            stream ? messages : 0,
            batches ? inputs : 0,
            inputs * workload.payloadBytes(),
            messages * batching.alone(workload.messages(), messages),
            stream ? requests : 0
        };
    }

    /**
     * @param cores used in each observation; what is not above the idle ones says nothing and is left out
     */
    static CostModel fit(double idle, List<Observation> observations, ToDoubleFunction<Observation> cores) {
        List<Observation> used = observations.stream()
                .filter(one -> cores.applyAsDouble(one) > idle)
                .toList();
        if (used.isEmpty()) {
            double[] nothing = new double[NAMES.size()];
            return new CostModel(idle, Batching.CANDIDATES.get(0), new LeastSquares(nothing, nothing, 1, 0));
        }
        boolean batches = used.stream().anyMatch(one -> one.workload().exchange() == Exchange.BATCH);
        double[] observed = used.stream()
                .mapToDouble(one -> cores.applyAsDouble(one) - idle)
                .toArray();
        return Batching.CANDIDATES.stream()
                .map(candidate -> new CostModel(
                        idle,
                        candidate,
                        LeastSquares.fit(
                                used.stream()
                                        .map(one -> terms(one.workload(), candidate, batches))
                                        .toList(),
                                observed)))
                .min(Comparator.comparing((CostModel model) -> !model.isTold())
                        .thenComparing(model -> model.fit.error()))
                .orElseThrow();
    }

    /** Whether what its terms cost can be told apart. */
    boolean isTold() {
        return fit.condition() <= MOST_CONDITION;
    }

    /** @param workload of the open model, at a rate */
    double cores(Workload workload) {
        // The coefficient of inputs is 0 where they did not count.
        return idle + LeastSquares.sum(terms(workload, batching, true), fit.coefficients());
    }
}
