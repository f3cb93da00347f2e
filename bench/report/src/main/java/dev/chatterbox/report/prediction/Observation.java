package dev.chatterbox.report.prediction;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.results.Sums;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a cell shows.
 *
 * @param workload the workload, at the rate that was reached
 * @param cores processors that each process of the system used, by role
 * @param generator processors that the load generator used
 * @param p50 the median latency of requests, in seconds; NaN in the closed model, whose users set it by their number
 */
record Observation(Workload workload, Map<String, Double> cores, double generator, double p50) {

    /**
     * Empty if the cell is not valid, is a bare client's or a queue's, or if a figure could not be measured. Empty also if
     * the cell has a distance, which is calculated and not learned.
     */
    static Optional<Observation> of(Cell cell) {
        Double p50 = cell.workload().isOpen() ? cell.requestLatency().p50() : Double.valueOf(Double.NaN);
        double rate =
                cell.workload().isOpen() ? rate(cell) : Sums.throughput(cell).value();
        if (cell.bare()
                || cell.workload().exchange() == Exchange.QUEUE
                || cell.workload().distanceMillis() > 0
                || !cell.valid()
                || !(rate > 0)
                || p50 == null
                || cell.requestLatency().isLowerBound(p50)) {
            return Optional.empty();
        }
        Map<String, Double> cores = new LinkedHashMap<>();
        for (String role : Role.SYSTEM) {
            cell.cpuMicros(role).ifPresent(micros -> cores.put(role, cores(cell, rate, micros)));
        }
        return cores.isEmpty()
                ? Optional.empty()
                : Optional.of(new Observation(
                        cell.workload().under(new Load.Rate(rate)),
                        cores,
                        cores(cell, rate, cell.cpuMicros(Role.GENERATOR).orElse(0)),
                        p50));
    }

    /** The mean rate of the slices, in requests per second; NaN in the closed model. */
    private static double rate(Cell cell) {
        return cell.counted().stream()
                .map(SliceFigures::rate)
                .mapToDouble(rate -> rate == null ? Double.NaN : rate)
                .average()
                .orElse(Double.NaN);
    }

    private static double cores(Cell cell, double rate, double microsPerCall) {
        return microsPerCall * rate * cell.workload().calls() / 1e6;
    }

    double system() {
        return cores.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    double rate() {
        return Range.rate(workload);
    }

    boolean isOpen() {
        return Double.isFinite(p50);
    }

    /** The workload without its load. */
    Workload shape() {
        return workload.under(new Load.Users(1));
    }

    /**
     * Whether the other observation shows almost the same, such as one of another run; then both are left out together.
     * Every observation is a twin of itself.
     */
    boolean isTwinOf(Observation other) {
        return shape().equals(other.shape())
                && Math.max(rate(), other.rate()) <= Range.SAME_RATE * Math.min(rate(), other.rate());
    }
}
