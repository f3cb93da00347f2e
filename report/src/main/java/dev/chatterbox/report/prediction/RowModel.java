package dev.chatterbox.report.prediction;

import dev.chatterbox.workloads.Exchange;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a row costs, over all its exchanges, and how well that is known.
 *
 * @param processes by role
 * @param machine processors of the machine
 * @param cpuErrors of the system's processors
 * @param latencyErrors of the median of requests
 */
record RowModel(
        String row,
        Map<String, CostModel> processes,
        LatencyModel latency,
        int machine,
        Range range,
        Prediction.Accuracy accuracy) {

    /** Rates of one shape of workload, of which the ones between the lowest and the highest can be left out. */
    static final int LEAST_RATES = 3;

    /**
     * @param idle processors that each process uses when nothing is called, by role
     * @param inFlight messages of a request that may be in flight at once
     * @return empty where no shape of workload was measured at three rates
     */
    static Optional<RowModel> of(
            String row, List<Observation> observations, Map<String, Double> idle, int inFlight, int machine) {
        List<Observation> interior = interior(observations);
        if (interior.isEmpty()) {
            return Optional.empty();
        }
        List<Double> cpu = new ArrayList<>();
        List<Double> latency = new ArrayList<>();
        for (Observation left : interior) {
            Fit without =
                    Fit.of(observations.stream().filter(other -> other != left).toList(), idle, inFlight, machine);
            double cores = without.system(left.workload());
            cpu.add(cores / left.system() - 1);
            latency.add(without.latency.seconds(left.workload(), cores / machine) / left.p50() - 1);
        }
        Fit all = Fit.of(observations, idle, inFlight, machine);
        return Optional.of(new RowModel(
                row,
                all.processes,
                all.latency,
                machine,
                Range.of(observations.stream().map(Observation::workload).toList()),
                new Prediction.Accuracy(Errors.of(cpu), Errors.of(latency))));
    }

    /** Those whose shape was measured at a lower rate and at a higher one. */
    private static List<Observation> interior(List<Observation> observations) {
        return observations.stream()
                .collect(Collectors.groupingBy(
                        one -> one.workload().under(new Load.Users(1)), LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .filter(shape -> shape.size() >= LEAST_RATES)
                .flatMap(shape -> shape.stream()
                        .sorted(Comparator.comparingDouble(one -> Range.rate(one.workload())))
                        .toList()
                        .subList(1, shape.size() - 1)
                        .stream())
                .toList();
    }

    private record Fit(Map<String, CostModel> processes, LatencyModel latency) {

        static Fit of(List<Observation> observations, Map<String, Double> idle, int inFlight, int machine) {
            List<Workload> workloads =
                    observations.stream().map(Observation::workload).toList();
            Map<String, CostModel> processes = new LinkedHashMap<>();
            for (String role : observations.get(0).cores().keySet()) {
                processes.put(
                        role,
                        CostModel.fit(
                                idle.getOrDefault(role, 0.0),
                                workloads,
                                observations.stream()
                                        .map(one -> one.cores().getOrDefault(role, 0.0))
                                        .toList()));
            }
            LatencyModel latency = LatencyModel.fit(
                    inFlight,
                    workloads,
                    observations.stream().map(one -> one.system() / machine).toList(),
                    observations.stream().map(Observation::p50).toList());
            return new Fit(processes, latency);
        }

        double system(Workload workload) {
            return processes.values().stream()
                    .mapToDouble(process -> process.cores(workload))
                    .sum();
        }
    }

    /** @param workload of the open model, at a rate */
    Answer predict(Workload workload) {
        Optional<String> beyond = range.refuses(workload);
        return beyond.isPresent()
                ? new Answer(row, Optional.empty(), beyond.get())
                : new Answer(row, Optional.of(within(workload)), "");
    }

    private Prediction within(Workload workload) {
        Map<String, Double> cores = new LinkedHashMap<>();
        processes.forEach((role, process) -> cores.put(role, process.cores(workload)));
        double system = cores.values().stream().mapToDouble(Double::doubleValue).sum();
        double busy = system / machine;
        return new Prediction(
                row,
                cores,
                Prediction.Estimate.of(system, accuracy.cpu()),
                busy < LatencyModel.BUSIEST
                        ? Optional.of(Prediction.Estimate.of(latency.seconds(workload, busy), accuracy.latency()))
                        : Optional.empty(),
                accuracy);
    }

    /** By name, for a program that calculates the same. */
    Map<String, Object> numbers() {
        Map<String, Object> byRole = new LinkedHashMap<>();
        processes.forEach((role, process) -> byRole.put(
                role,
                Map.of(
                        "idle", process.idle(),
                        "messages", process.batching().messages(),
                        "seconds", process.batching().seconds(),
                        "coefficients", process.coefficients())));
        return Map.of(
                "row", row,
                "processes", byRole,
                "inFlight", latency.inFlight(),
                "latency", latency.coefficients(),
                "exchanges", range.exchanges().stream().map(Exchange::text).toList(),
                "most", range.most(),
                "cpuWithin", accuracy.cpu().nineOfTen(),
                "latencyWithin", accuracy.latency().nineOfTen());
    }
}
