package dev.chatterbox.report.prediction;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Environment.RowSettings;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.Role;
import dev.chatterbox.workloads.Exchange;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Predicts what rows cost under a load that was not measured, from the cells of the open model of one run or several.
 * Each row has a model of its own; its error is that of cells which it was not shown, one left out at a time.
 */
public final class Predictor {

    public static final String CALLS = Range.CALLS;
    public static final String SIZE = Range.SIZE;
    public static final String PAYLOAD = Range.PAYLOAD;
    public static final String RATE = Range.RATE;

    private static final String AGGREGATOR = "aggregator-service";
    private static final int DEFAULT_IN_FLIGHT = 1024;

    /** Of which the smallest holds. */
    private static final List<String> IN_FLIGHT = List.of("bounds.per-request", "bounds.in-flight");

    private final Map<String, RowModel> models = new TreeMap<>();
    private final Map<String, String> without = new TreeMap<>();
    private final int cores;

    /**
     * @param runs of one machine
     * @throws ResultsException they are of machines with different numbers of processors, or do not tell it
     */
    public Predictor(List<Results> runs) {
        cores = machine(runs);
        Map<String, List<Observation>> byRow = new TreeMap<>();
        runs.forEach(run -> run.cells()
                .forEach(cell -> Observation.of(cell)
                        .ifPresent(one -> byRow.computeIfAbsent(cell.row(), row -> new ArrayList<>())
                                .add(one))));
        Stream<String> rows = runs.stream()
                .flatMap(run -> run.cells().stream())
                .map(Cell::row)
                .distinct();
        rows.forEach(row -> {
            Optional<RowModel> model = Optional.ofNullable(byRow.get(row))
                    .flatMap(observed -> RowModel.of(row, observed, idle(row, runs), inFlight(row, runs), cores));
            model.ifPresentOrElse(
                    found -> models.put(row, found),
                    () -> without.put(row, "no load of the open model was measured at three rates"));
        });
    }

    private static int machine(List<Results> runs) {
        Set<Integer> cores = runs.stream()
                .map(run -> run.environment().machine().cores())
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        if (cores.size() != 1) {
            throw new ResultsException(
                    cores.isEmpty()
                            ? "The results do not tell how many processors the machine has."
                            : "The runs are of different machines, with %s processors: predict from those of one."
                                    .formatted(cores.stream()
                                            .sorted()
                                            .map(String::valueOf)
                                            .collect(Collectors.joining(" and "))));
        }
        return cores.iterator().next();
    }

    /** Over all runs, the mean. */
    private static Map<String, Double> idle(String row, List<Results> runs) {
        Map<String, List<Double>> idle = new HashMap<>();
        for (Results run : runs) {
            RowSettings settings = run.environment().settings().rows().get(row);
            Map<String, String> processes = new HashMap<>(Map.of(Role.AGGREGATOR, AGGREGATOR));
            if (settings != null && settings.responder() != null) {
                processes.put(Role.RESPONDER, settings.responder());
            }
            if (settings != null && settings.broker() != null) {
                processes.put(Role.BROKER, settings.broker());
            }
            processes.forEach((role, process) -> Optional.ofNullable(
                            run.idleCpu().get(process))
                    .ifPresent(used ->
                            idle.computeIfAbsent(role, key -> new ArrayList<>()).add(used)));
        }
        return idle.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        used -> used.getValue().stream()
                                .mapToDouble(Double::doubleValue)
                                .average()
                                .orElse(0)));
    }

    private static int inFlight(String row, List<Results> runs) {
        return runs.stream()
                .flatMap(run ->
                        Stream.ofNullable(run.environment().settings().rows().get(row)))
                .flatMap(settings -> IN_FLIGHT.stream().map(settings.settings()::get))
                .filter(Number.class::isInstance)
                .mapToInt(number -> ((Number) number).intValue())
                .min()
                .orElse(DEFAULT_IN_FLIGHT);
    }

    /** Processors of the machine that was measured. */
    public int cores() {
        return cores;
    }

    /** Whether there is a row of which anything can be said. */
    public boolean knowsAnything() {
        return !models.isEmpty();
    }

    /**
     * For each row that was measured, by name.
     *
     * @param workload of the open model, at a rate
     */
    public List<Answer> predict(Workload workload) {
        Map<String, Answer> all = new TreeMap<>();
        models.forEach((row, model) -> all.put(row, model.predict(workload)));
        without.forEach((row, reason) -> all.put(row, new Answer(row, Optional.empty(), reason)));
        return List.copyOf(all.values());
    }

    /** How far predictions lay from what was measured, by row. */
    public Map<String, Prediction.Accuracy> errors() {
        Map<String, Prediction.Accuracy> errors = new TreeMap<>();
        models.forEach((row, model) -> errors.put(row, model.accuracy()));
        return errors;
    }

    /** Those that a row was measured by. */
    public Set<Exchange> exchanges() {
        Set<Exchange> exchanges = EnumSet.noneOf(Exchange.class);
        models.values().forEach(model -> exchanges.addAll(model.range().exchanges()));
        return exchanges;
    }

    /**
     * The most that a row may be asked for.
     *
     * @param what {@link #CALLS}, {@link #SIZE}, {@link #PAYLOAD} or {@link #RATE}
     */
    public double reach(String what) {
        return models.values().stream()
                .mapToDouble(model -> model.range().reach(what))
                .max()
                .orElse(0);
    }

    /** For a program that calculates the same: of each row its model, by name. */
    public List<Map<String, Object>> models() {
        return models.values().stream().map(RowModel::numbers).toList();
    }
}
