package dev.chatterbox.report.prediction;

import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * The processors that a process uses under a load of the open model: those that it uses anyway, and so much for each
 * request, message, input and byte, where a part of a message's cost falls with the calls in flight.
 *
 * @param idle processors that it uses when nothing is called
 * @param coefficients processor-seconds for each of {@link #terms}
 */
record CostModel(double idle, Batching batching, double[] coefficients) {

    /** In the order of {@link #terms}; the report's sliders use the same. */
    private static final int TERMS = 7;

    /**
     * What happens in a second: requests; messages, but for those of streams; messages of streams; inputs; bytes of
     * payload; messages of whatever kind, as far as they share nothing with others; streams that are opened.
     *
     * @param workload of the open model, at a rate
     */
    static double[] terms(Workload workload, Batching batching) {
        double requests = ((Load.Rate) workload.load()).perSecond();
        double messages = requests * workload.messages();
        double inputs = requests * workload.calls();
        boolean stream = workload.exchange() == Exchange.STREAM;
        double[] terms = new double[TERMS];
        terms[0] = requests;
        terms[1] = stream ? 0 : messages;
        terms[2] = stream ? messages : 0;
        terms[3] = inputs;
        terms[4] = inputs * workload.payloadBytes();
        terms[5] = messages * batching.alone(workload.messages(), messages);
        terms[6] = stream ? requests : 0;
        return terms;
    }

    /**
     * @param workloads of the open model, each at a rate
     * @param cores used under each; what is not above the idle ones says nothing and is left out
     */
    static CostModel fit(double idle, List<Workload> workloads, List<Double> cores) {
        List<Workload> used = new ArrayList<>();
        List<Double> above = new ArrayList<>();
        for (int i = 0; i < workloads.size(); i++) {
            if (cores.get(i) > idle) {
                used.add(workloads.get(i));
                above.add(cores.get(i) - idle);
            }
        }
        Batching best = Batching.CANDIDATES.get(0);
        double[] coefficients = new double[TERMS];
        double least = Double.POSITIVE_INFINITY;
        double[] observed = above.stream().mapToDouble(Double::doubleValue).toArray();
        for (Batching candidate : used.isEmpty() ? List.<Batching>of() : Batching.CANDIDATES) {
            List<double[]> terms =
                    used.stream().map(workload -> terms(workload, candidate)).toList();
            double[] fitted = LeastSquares.fit(terms, observed);
            double error = LeastSquares.error(terms, observed, fitted);
            if (error < least) {
                least = error;
                best = candidate;
                coefficients = fitted;
            }
        }
        return new CostModel(idle, best, coefficients);
    }

    /** @param workload of the open model, at a rate */
    double cores(Workload workload) {
        return idle + LeastSquares.sum(terms(workload, batching), coefficients);
    }
}
