package dev.chatterbox.report.prediction;

import dev.chatterbox.report.prediction.Prediction.HeldOut;
import dev.chatterbox.report.prediction.Prediction.PredictedFigure;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.ExchangeShape;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The model of what a row costs over all its exchanges, and how exact it is.
 *
 * @param busiest processors that the system used in the busiest cell
 */
record RowModel(String row, Fit fit, double busiest, Range range, Prediction.Accuracy accuracy) {

    /**
     * Learns from the open model. If that has no shape of workload at three rates, the closed model counts as well: the
     * requests per second of its users are a rate, too. Such a model knows processors, and no latency.
     *
     * @param idle processors that each process uses when nothing is called, by role
     * @return empty if no shape of workload was measured at three rates
     */
    static Optional<RowModel> of(
            String row, List<Observation> observations, Map<String, Double> idle, RowPath path, int machine) {
        List<Observation> open =
                observations.stream().filter(Observation::isOpen).toList();
        return learned(row, open, idle, path, machine).or(() -> learned(row, known(observations), idle, path, machine));
    }

    /** Without the exchanges of too few rates, whose costs nothing tells apart. */
    private static List<Observation> known(List<Observation> observations) {
        return observations.stream()
                .filter(one -> observations.stream()
                        .anyMatch(other ->
                                other.workload().exchange() == one.workload().exchange()
                                        && isBetweenRates(other, observations)))
                .toList();
    }

    private static Optional<RowModel> learned(
            String row, List<Observation> observations, Map<String, Double> idle, RowPath path, int machine) {
        List<Observation> betweenRates = observations.stream()
                .filter(one -> isBetweenRates(one, observations))
                .toList();
        if (betweenRates.isEmpty()) {
            return Optional.empty();
        }
        List<Observation> betweenLoads = observations.stream()
                .filter(one -> isBetweenLoads(one, observations))
                .toList();
        Function<List<Observation>, Fit> fits = some -> Fit.of(some, idle, path, machine);
        HeldOut rates = heldOut(betweenRates, observations, Observation::isTwinOf, fits);
        Optional<HeldOut> loads = betweenLoads.isEmpty()
                ? Optional.empty()
                : Optional.of(heldOut(
                        betweenLoads, observations, (one, other) -> one.shape().equals(other.shape()), fits));
        Set<Exchange> exchanges =
                betweenRates.stream().map(one -> one.workload().exchange()).collect(Collectors.toSet());
        return Optional.of(new RowModel(
                row,
                fits.apply(observations),
                observations.stream().mapToDouble(Observation::system).max().orElse(0),
                Range.of(observations.stream().map(Observation::workload).toList(), exchanges, path),
                new Prediction.Accuracy(rates, loads)));
    }

    /** Whether its shape was also measured at a lower and at a higher rate; twins do not count. */
    private static boolean isBetweenRates(Observation one, List<Observation> observations) {
        List<Observation> others = observations.stream()
                .filter(other -> other.shape().equals(one.shape()) && !other.isTwinOf(one))
                .toList();
        return others.stream().anyMatch(other -> other.rate() < one.rate())
                && others.stream().anyMatch(other -> other.rate() > one.rate());
    }

    /** Whether similar loads have less and more of one thing: calls a request, payload, or calls a message. */
    private static boolean isBetweenLoads(Observation one, List<Observation> observations) {
        List<Workload> all = observations.stream().map(Observation::shape).toList();
        List<Workload> withoutStreams = all.stream()
                .filter(shape -> shape.exchange() != Exchange.STREAM)
                .toList();
        Workload shape = one.shape();
        return isBetween(shape, all, Workload::calls, other -> other.withCalls(1))
                || isBetween(shape, all, Workload::payloadBytes, other -> other.withPayload(0))
                || shape.exchange() != Exchange.STREAM
                        && isBetween(shape, withoutStreams, Workload::size, other -> other.by(ExchangeShape.UNARY));
    }

    /** @param others gives the same workload for all that differ only in this number */
    private static boolean isBetween(
            Workload shape, List<Workload> all, ToIntFunction<Workload> number, UnaryOperator<Workload> others) {
        int own = number.applyAsInt(shape);
        int[] numbers = all.stream()
                .filter(other -> others.apply(other).equals(others.apply(shape)))
                .mapToInt(number)
                .toArray();
        return IntStream.of(numbers).anyMatch(other -> other < own)
                && IntStream.of(numbers).anyMatch(other -> other > own);
    }

    /** @param together whether the second observation is left out of the fit that predicts the first one */
    private static HeldOut heldOut(
            List<Observation> predicted,
            List<Observation> all,
            BiPredicate<Observation, Observation> together,
            Function<List<Observation>, Fit> fits) {
        Map<List<Observation>, Fit> known = new HashMap<>();
        List<Double> cpu = new ArrayList<>();
        List<Double> latency = new ArrayList<>();
        for (Observation one : predicted) {
            Fit fit = known.computeIfAbsent(
                    all.stream().filter(other -> !together.test(one, other)).toList(), fits);
            cpu.add(Errors.between(fit.system(one.workload()), one.system()));
            fit.p50(one.workload()).ifPresent(p50 -> latency.add(Errors.between(p50, one.p50())));
        }
        return new HeldOut(Errors.of(cpu), latency.isEmpty() ? Optional.empty() : Optional.of(Errors.of(latency)));
    }

    /**
     * @param processes the models of the processes by role
     * @param generator the model of the load generator, which is in no sum but takes its share of the processors
     * @param latency empty if some of the observations are of the closed model
     * @param machine how many processors the machine has
     */
    record Fit(Map<String, CostModel> processes, CostModel generator, Optional<LatencyModel> latency, int machine) {

        static Fit of(List<Observation> observations, Map<String, Double> idle, RowPath path, int machine) {
            Map<String, CostModel> processes = new LinkedHashMap<>();
            for (String role : observations.get(0).cores().keySet()) {
                processes.put(
                        role,
                        CostModel.fit(
                                idle.getOrDefault(role, 0.0),
                                observations,
                                one -> one.cores().getOrDefault(role, 0.0)));
            }
            return new Fit(
                    processes,
                    CostModel.fit(0, observations, Observation::generator),
                    observations.stream().allMatch(Observation::isOpen)
                            ? Optional.of(LatencyModel.fit(path, machine, observations))
                            : Optional.empty(),
                    machine);
        }

        double system(Workload workload) {
            return processes.values().stream()
                    .mapToDouble(process -> process.cores(workload))
                    .sum();
        }

        Optional<Double> p50(Workload workload) {
            return latency.map(
                    model -> model.seconds(workload, (system(workload) + generator.cores(workload)) / machine));
        }
    }

    /** @param workload of the open model, at a rate */
    PredictionOrRefusal predict(Workload workload) {
        Optional<String> beyond = unknownCosts().or(() -> range.refuses(workload));
        return beyond.isPresent()
                ? new PredictionOrRefusal(row, Optional.empty(), beyond.get())
                : new PredictionOrRefusal(row, Optional.of(within(workload)), "");
    }

    /** Why nothing at all can be predicted, to stand after "for"; empty if something can. */
    private Optional<String> unknownCosts() {
        return fit.processes.entrySet().stream()
                .filter(process -> !process.getValue().separatesTerms())
                .findFirst()
                .map(process -> String.format(
                        Locale.ROOT,
                        "what a request, a message and a call cost its %s cannot be told apart from these loads (the condition"
                                + " number is %,.0f, and %.0f is the most)",
                        process.getKey(),
                        process.getValue().fit().condition(),
                        CostModel.MOST_CONDITION));
    }

    private Prediction within(Workload workload) {
        Map<String, Double> cores = new LinkedHashMap<>();
        fit.processes.forEach((role, process) -> cores.put(role, process.cores(workload)));
        double system = fit.system(workload);
        Optional<String> withoutP50 = withoutP50(workload, system);
        return new Prediction(
                row,
                cores,
                PredictedFigure.of(system, accuracy.cpuWithin()),
                withoutP50.isPresent()
                        ? Optional.empty()
                        : fit.p50(workload).map(p50 -> PredictedFigure.of(p50, accuracy.latencyWithin())),
                withoutP50.orElse(""));
    }

    /** Why the median latency would not be stable, or is not known; empty if it can be predicted. */
    private Optional<String> withoutP50(Workload workload, double system) {
        if (fit.latency.isEmpty()) {
            return Optional.of("no load of the open model was measured at three rates");
        }
        if (system > busiest) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "it needs more than the %.2f processors of the busiest cell that was measured",
                    busiest));
        }
        RowPath path = range.path();
        double underWay = Range.rate(workload) * workload.messages() * path.callSeconds(workload);
        return underWay < path.inFlight(workload)
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%,.0f messages would be under way over the distance, and %,.0f may be",
                        underWay,
                        path.inFlight(workload)));
    }

    /** The numbers of the model by name, for a program that calculates the same. */
    Map<String, Object> numbers() {
        Map<String, Object> byRole = new LinkedHashMap<>();
        fit.processes.forEach((role, process) -> byRole.put(role, numbers(process)));
        Map<String, Object> most = new LinkedHashMap<>();
        range.most().forEach((exchange, own) -> most.put(exchange.text(), own));
        return Map.of(
                "row", row,
                "processes", byRole,
                "generator", numbers(fit.generator),
                "path", range.path().numbers(),
                "latency", fit.latency.map(LatencyModel::coefficients).orElse(new double[0]),
                "most", most,
                "busiest", busiest,
                "refusal", unknownCosts().orElse(""),
                "cpuWithin", accuracy.cpuWithin(),
                "latencyWithin", accuracy.latencyWithin());
    }

    private static Map<String, Object> numbers(CostModel process) {
        return Map.of(
                "idle", process.idle(),
                "messages", process.batching().messages(),
                "seconds", process.batching().seconds(),
                "coefficients", process.fit().coefficients());
    }

    List<Coefficients> coefficients() {
        return fit.processes.entrySet().stream()
                .map(process -> new Coefficients(
                        row,
                        process.getKey(),
                        process.getValue().fit().coefficients(),
                        process.getValue().fit().within()))
                .toList();
    }
}
