package dev.chatterbox.report.prediction;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Role;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a cell of the open model shows.
 *
 * @param workload at the rate that was reached
 * @param asked the load that it was asked to have: a rate, or a share of a capacity
 * @param cores processors that each process of the system used, by role
 * @param p50 of requests, in seconds
 */
record Observation(Workload workload, Load asked, Map<String, Double> cores, double p50) {

    /** Rates that are no further apart say the same. */
    private static final double SAME_RATE = 1.1;

    /**
     * Empty where the cell is of the closed model, not valid, or a figure could not be measured; and where it was
     * measured over a distance, which is calculated and not learned.
     */
    static Optional<Observation> of(Cell cell) {
        Figures figures = cell.median();
        Double requests = figures.requestsPerSecond();
        Double calls = figures.callsPerSecond();
        Double p50 = figures.requestLatency().p50();
        if (!cell.workload().isOpen()
                || cell.workload().distanceMillis() > 0
                || !cell.valid()
                || requests == null
                || calls == null
                || p50 == null) {
            return Optional.empty();
        }
        Map<String, Double> cores = new LinkedHashMap<>();
        for (String role : Role.SYSTEM) {
            if (figures.cpu().containsKey(role)) {
                Double micros = figures.cpu().get(role);
                if (micros == null) {
                    return Optional.empty();
                }
                cores.put(role, micros * calls / 1e6);
            }
        }
        return requests <= 0 || cores.isEmpty()
                ? Optional.empty()
                : Optional.of(new Observation(
                        cell.workload().under(new Load.Rate(requests)),
                        cell.workload().load(),
                        cores,
                        p50));
    }

    double system() {
        return cores.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    double rate() {
        return Range.rate(workload);
    }

    /** The workload whatever its load is. */
    Workload shape() {
        return workload.under(new Load.Users(1));
    }

    /**
     * Whether the other one shows almost the same, as that of another run does: then both are left out together. True
     * of itself.
     */
    boolean isTwinOf(Observation other) {
        return shape().equals(other.shape())
                && (asked instanceof Load.Share && asked.equals(other.asked)
                        || Math.max(rate(), other.rate()) <= SAME_RATE * Math.min(rate(), other.rate()));
    }
}
