package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Role;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Two runs; B is judged by A. Their cells are paired by row and workload. */
record RunPair(MeasuredRun a, MeasuredRun b) {

    static final List<Metric> METRICS = List.of(Metric.CPU, Metric.CALLS, Metric.REQUEST_P99);

    private static final Comparator<Cell> ORDER =
            Comparator.comparing(Cell::row).thenComparing(Cell::workload);

    /** Load at the start of the machine, as {@code uptime} has it: less than that is nothing. */
    private static final double IDLE = 0.5;

    private static final int LISTED = 6;

    private static final String LOAD_AVERAGE = "machine.loadAverageAtStart";

    /** A setting of a row by its name in the results. */
    private static final Pattern ROW_SETTING = Pattern.compile("settings\\.rows\\.([^.]+)\\.settings\\.(.+)");

    /** What else a row tells of itself. */
    private static final Pattern ROW_FACT = Pattern.compile("settings\\.rows\\.([^.]+)\\.(kind|responder|broker)");

    /** Where a checkout keeps its archives of classes: whether there is one may matter, its path does not. */
    private static final Pattern ARCHIVE = Pattern.compile("(-XX:(?:SharedArchiveFile|AOTCache))=\\S+");

    /** @param machine of the row, see {@link RunPair#machine} */
    record CellPair(Cell a, Cell b, double machine) {

        boolean valid() {
            return a.valid() && b.valid();
        }

        FigureDifference difference(Metric metric) {
            return FigureDifference.of(metric, a, b, machine);
        }

        /** What the processes take of a call's CPU, where that counts and can be judged. */
        Optional<PartShift> shift() {
            return difference(Metric.CPU).verdict().counts()
                    ? PartShift.of(a, b).filter(shift -> shift.grown().isPresent())
                    : Optional.empty();
        }
    }

    /** A setting, version or fact of the environment that differs. Empty where one has none. */
    record Change(String name, String a, String b) {}

    List<CellPair> pairs() {
        return a.results().cells().stream()
                .sorted(ORDER)
                .flatMap(cell -> b
                        .cell(cell.row(), cell.workload())
                        .map(other -> new CellPair(cell, other, machine(cell.row())))
                        .stream())
                .toList();
    }

    /**
     * How many times as much the same work cost in B: that of the load generator, which does the same for a call in
     * both. Where other machines share the processor, all of a run may cost half as much again. It is the median of the
     * row's cells, and not of all, for a row suffers by more than another.
     *
     * @return 1 where that is not known
     */
    double machine(String row) {
        double ratio = Figure.median(a.results().cells().stream()
                .filter(cell -> cell.row().equals(row))
                .flatMap(cell -> b.cell(row, cell.workload()).map(other -> generator(other) / generator(cell)).stream())
                .mapToDouble(Double::doubleValue)
                .filter(each -> Double.isFinite(each) && each > 0)
                .toArray());
        return Double.isFinite(ratio) ? ratio : 1;
    }

    private static double generator(Cell cell) {
        return Numbers.orNaN(cell.median().cpu().get(Role.GENERATOR));
    }

    List<CellPair> pairs(String row) {
        return pairs().stream().filter(pair -> pair.a().row().equals(row)).toList();
    }

    /** Of cells that both have. */
    List<String> rows() {
        return pairs().stream().map(pair -> pair.a().row()).distinct().toList();
    }

    List<FigureDifference> differences() {
        return METRICS.stream()
                .flatMap(metric -> pairs().stream().map(pair -> pair.difference(metric)))
                .toList();
    }

    /** "Only in A: …." and the same of B, where there are any. */
    List<Sentence> onlyInOne() {
        Map<String, List<Cell>> only = new LinkedHashMap<>();
        only.put("Only in A", only(a, b));
        only.put("Only in B", only(b, a));
        return only.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .map(entry -> Sentence.of("{}: {}.", entry.getKey(), brief(entry.getValue())))
                .toList();
    }

    private static List<Cell> only(MeasuredRun in, MeasuredRun notIn) {
        return in.results().cells().stream()
                .filter(cell -> notIn.cell(cell.row(), cell.workload()).isEmpty())
                .sorted(ORDER)
                .toList();
    }

    /** Each by name, or of many the numbers by row. */
    static Sentence brief(List<Cell> cells) {
        if (cells.size() <= LISTED) {
            return Sentence.joined(
                    "; ",
                    cells.stream()
                            .map(cell -> Sentence.of("{} at {}", Sentence.row(cell.row()), Axis.brief(cell.workload())))
                            .toList());
        }
        return Sentence.joined(
                ", ",
                cells.stream()
                        .collect(Collectors.groupingBy(Cell::row, TreeMap::new, Collectors.counting()))
                        .entrySet()
                        .stream()
                        .map(entry -> Sentence.of(
                                "{} of {}", Numbers.counted(entry.getValue(), "cell"), Sentence.row(entry.getKey())))
                        .toList());
    }

    List<Change> changes() {
        Map<String, String> before = facts(a);
        Map<String, String> after = facts(b);
        Set<String> names = new LinkedHashSet<>(before.keySet());
        names.addAll(after.keySet());
        return names.stream()
                .map(name -> new Change(name, before.getOrDefault(name, ""), after.getOrDefault(name, "")))
                .filter(change -> !change.a().equals(change.b()) && matters(change))
                .map(change -> new Change(shortName(change.name()), change.a(), change.b()))
                .toList();
    }

    /** Whether a difference may change what is measured; what only one schema tells is none. */
    private static boolean matters(Change change) {
        boolean inBoth = !change.a().isEmpty() && !change.b().isEmpty();
        if (change.name().equals(LOAD_AVERAGE)) {
            return !inBoth || Math.abs(Double.parseDouble(change.a()) - Double.parseDouble(change.b())) >= IDLE;
        }
        if (!change.name().startsWith("settings.rows.")) {
            return true;
        }
        return ROW_SETTING.matcher(change.name()).matches()
                || inBoth && ROW_FACT.matcher(change.name()).matches();
    }

    /** "able.flush" for settings.rows.able.settings.flush */
    private static String shortName(String name) {
        return ROW_FACT.matcher(ROW_SETTING.matcher(name).replaceFirst("$1.$2")).replaceFirst("$1.$2");
    }

    private static Map<String, String> facts(MeasuredRun run) {
        Map<String, String> facts = Leaves.of(run.results().environment());
        facts.replaceAll((name, value) -> ARCHIVE.matcher(value).replaceAll("$1"));
        facts.put("command", run.command());
        return facts;
    }
}
