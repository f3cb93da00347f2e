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
 * @param cores processors that each process of the system used, by role
 * @param p50 of requests, in seconds
 */
record Observation(Workload workload, Map<String, Double> cores, double p50) {

    /** Empty where the cell is of the closed model, not valid, or a figure could not be measured. */
    static Optional<Observation> of(Cell cell) {
        Figures figures = cell.median();
        Double requests = figures.requestsPerSecond();
        Double calls = figures.callsPerSecond();
        Double p50 = figures.requestLatency().p50();
        if (!cell.workload().isOpen() || !cell.valid() || requests == null || calls == null || p50 == null) {
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
                : Optional.of(new Observation(cell.workload().under(new Load.Rate(requests)), cores, p50));
    }

    double system() {
        return cores.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
