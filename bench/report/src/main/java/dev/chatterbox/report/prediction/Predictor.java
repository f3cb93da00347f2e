package dev.chatterbox.report.prediction;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Environment.RowSettings;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.Role;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Workload;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Predicts what rows cost under a load that was not measured, from the cells of one run or several: from those of the
 * open model, or from all if these are too few.
 * Each row has a model of its own; its error comes from cells that the model had not seen.
 */
public final class Predictor {

    private static final String AGGREGATOR = "aggregator-service";

    /** A setting with a port of the stack, which may be another port in another run. */
    private static final Pattern ADDRESS = Pattern.compile(":[0-9]+");

    private final Map<String, RowModel> models = new TreeMap<>();
    private final Map<String, String> without = new TreeMap<>();
    private final int cores;

    /**
     * @param runs at least one run; all of one kind of processor and JDK
     * @throws ResultsException the runs have different processors or JDKs, or do not say how many processors there are
     */
    public Predictor(List<Results> runs) {
        cores = machine(runs);
        Stream<String> rows = runs.stream()
                .flatMap(run -> run.cells().stream())
                .filter(cell -> !cell.bare() && !cell.isZeroLine())
                .map(Cell::row)
                .distinct();
        rows.forEach(row -> {
            Set<Map<String, Object>> settings = runs.stream()
                    .flatMap(run -> Stream.ofNullable(settings(run, row)))
                    .map(Predictor::withoutAddresses)
                    .collect(Collectors.toSet());
            if (settings.size() > 1) {
                without.put(row, "its settings were not the same in these runs");
                return;
            }
            Results telling = runs.stream()
                    .filter(run -> settings(run, row) != null)
                    .findFirst()
                    .orElse(runs.get(0));
            RowPath path = RowPath.of(telling.environment().settings(), row);
            List<Observation> observed = runs.stream()
                    .flatMap(run -> run.cells().stream())
                    .filter(cell -> cell.row().equals(row))
                    .flatMap(cell -> Observation.of(cell).stream())
                    .toList();
            RowModel.of(row, observed, idle(row, runs), path, cores)
                    .ifPresentOrElse(
                            model -> models.put(row, model),
                            () -> without.put(row, "no load was measured at three rates without a distance"));
        });
    }

    private static @Nullable RowSettings settings(Results run, String row) {
        return run.environment().settings().rows().get(row);
    }

    private static Map<String, Object> withoutAddresses(RowSettings settings) {
        return settings.settings().entrySet().stream()
                .filter(setting ->
                        !ADDRESS.matcher(String.valueOf(setting.getValue())).find())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The number of the machine's processors. All runs must have the same processors and the same JDK. */
    private static int machine(List<Results> runs) {
        requireOne(
                "processors",
                runs,
                found -> found.machine().cores() + " × " + found.machine().cpu());
        requireOne(
                "JDKs",
                runs,
                found -> found.java().version() + " of " + found.java().vendor());
        Integer cores = runs.get(0).environment().machine().cores();
        if (cores == null) {
            throw new ResultsException("The results do not tell how many processors the machine has.");
        }
        return cores;
    }

    private static void requireOne(String what, List<Results> runs, Function<Environment, String> property) {
        Set<String> all =
                runs.stream().map(Results::environment).map(property).collect(Collectors.toCollection(TreeSet::new));
        if (all.size() > 1) {
            throw new ResultsException("The runs are of different %s, %s: predict from those of one."
                    .formatted(what, String.join(" and ", all)));
        }
    }

    /** The processors that the row's processes use without load, by role: the mean of all runs. */
    private static Map<String, Double> idle(String row, List<Results> runs) {
        return runs.stream()
                .flatMap(run -> processes(settings(run, row)).entrySet().stream()
                        .filter(process -> run.idleCpu().containsKey(process.getValue()))
                        .map(process ->
                                Map.entry(process.getKey(), run.idleCpu().get(process.getValue()))))
                .collect(Collectors.groupingBy(Map.Entry::getKey, Collectors.averagingDouble(Map.Entry::getValue)));
    }

    private static Map<String, String> processes(@Nullable RowSettings settings) {
        Map<String, String> processes = new HashMap<>(Map.of(Role.AGGREGATOR, AGGREGATOR));
        if (settings != null && settings.responder() != null) {
            processes.put(Role.RESPONDER, settings.responder());
        }
        if (settings != null && settings.broker() != null) {
            processes.put(Role.BROKER, settings.broker());
        }
        return processes;
    }

    /** How many processors the measured machine has. */
    public int cores() {
        return cores;
    }

    /** The answer for each measured row, sorted by name, under a workload of the open model with a rate. */
    public List<PredictionOrRefusal> predict(Workload workload) {
        Map<String, PredictionOrRefusal> all = new TreeMap<>();
        models.forEach((row, model) -> all.put(row, model.predict(workload)));
        without.forEach((row, reason) -> all.put(row, new PredictionOrRefusal(row, Optional.empty(), reason)));
        return List.copyOf(all.values());
    }

    /** The rows without a model, and why. */
    public Map<String, String> without() {
        return Map.copyOf(without);
    }

    /** How far predictions were from what was measured, by row. */
    public Map<String, Prediction.Accuracy> errors() {
        Map<String, Prediction.Accuracy> errors = new TreeMap<>();
        models.forEach((row, model) -> errors.put(row, model.accuracy()));
        return errors;
    }

    /** The exchanges by which at least one row can be predicted. */
    public Set<Exchange> exchanges() {
        Set<Exchange> exchanges = EnumSet.noneOf(Exchange.class);
        models.values().forEach(model -> exchanges.addAll(model.range().most().keySet()));
        return exchanges;
    }

    /** The largest value that can be predicted for any row, of something that {@link Range} counts. */
    public double reach(String what) {
        return models.values().stream()
                .mapToDouble(model -> model.range().reach(what))
                .max()
                .orElse(0);
    }

    /** The longest distance that can be predicted for any row, in milliseconds. */
    public double longestDistance() {
        return models.values().stream()
                .mapToDouble(model -> model.range().longestDistance())
                .max()
                .orElse(0);
    }

    /** What a request, a message, a call and a byte cost each process of each row, with intervals. */
    public List<Coefficients> coefficients() {
        return models.values().stream()
                .flatMap(model -> model.coefficients().stream())
                .toList();
    }

    /** The models of the rows, sorted by name, for a program that calculates the same. */
    public List<Map<String, Object>> models() {
        return models.values().stream().map(RowModel::numbers).toList();
    }
}
