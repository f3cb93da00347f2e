package dev.chatterbox.report.prediction;

import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Workload;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The processors that a process uses under a load of the open model: those that it uses when idle, and a cost of each
 * request, message, input and byte. A part of a message's cost falls with the calls in flight.
 *
 * @param idle processors that it uses when nothing is called
 * @param fit its coefficients are processor-seconds for each of {@link #terms}
 */
record CostModel(double idle, Batching batching, LeastSquares fit) {

    /** The names of {@link #terms}, for people: costs in microseconds of processor time, of bytes in nanoseconds. */
    static final List<String> NAMES =
            List.of("request", "message", "message of a stream", "call", "byte", "message alone", "stream");

    /** Above this, nothing is predicted: Belsley, Kuh and Welsch call more than 100 very strong dependence. */
    static final double MOST_CONDITION = 100;

    /**
     * What happens in a second: requests; messages except those of streams; messages of streams; inputs; bytes of
     * payload; messages of any kind, as far as they share nothing with others; streams that are opened.
     *
     * @param workload a workload of the open model with a rate
     * @param batches whether some messages carry several inputs; if not, an input counts only as a message
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
     * @param cores the processors used in each observation; those not above {@code idle} say nothing and are left out
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
                .min(Comparator.comparing((CostModel model) -> !model.separatesTerms())
                        .thenComparing(model -> model.fit.error()))
                .orElseThrow();
    }

    /** Whether the costs of its terms can be told apart. */
    boolean separatesTerms() {
        return fit.condition() <= MOST_CONDITION;
    }

    /** @param workload of the open model, at a rate */
    double cores(Workload workload) {
        // The coefficient of inputs is 0 if they did not count in the fit.
        return idle + LeastSquares.sum(terms(workload, batching, true), fit.coefficients());
    }
}
