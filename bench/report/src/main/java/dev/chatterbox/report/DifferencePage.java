package dev.chatterbox.report;

import dev.chatterbox.report.ChartSection.Panel;
import dev.chatterbox.report.ChartSection.PanelGroup;
import dev.chatterbox.report.FigureDifference.Verdict;
import dev.chatterbox.report.RunPair.CellPair;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * What diff.jte shows: two runs in the look of the report.
 *
 * @param ratios null where no cell is in both
 */
record DifferencePage(
        Palette palette,
        String title,
        List<Sentence> warnings,
        List<Sentence> conclusion,
        Table runs,
        @Nullable ChartSection ratios,
        List<Sentence> onlyInOne,
        Table changes) {

    static DifferencePage of(RunPair runs) {
        TreeSet<String> names = new TreeSet<>(runs.a().knownRows());
        names.addAll(runs.b().knownRows());
        Palette palette = Palette.of(names);
        DifferenceSentences sentences = new DifferenceSentences(runs);
        return new DifferencePage(
                palette,
                "%s against %s".formatted(runs.b().folder(), runs.a().folder()),
                sentences.warnings(),
                sentences.conclusion(),
                Table.of("The two runs")
                        .words("", "run", "started", "git", "command")
                        .line(Table.field("A"), run(runs.a()))
                        .line(Table.field("B"), run(runs.b()))
                        .build(),
                runs.pairs().isEmpty() ? null : ratios(runs, palette),
                runs.onlyInOne(),
                changes(runs));
    }

    private static List<Table.TableField> run(MeasuredRun run) {
        return List.of(
                Table.field(run.folder()),
                Table.field(run.started()),
                Table.field(orNone(run.revision())),
                Table.field(orNone(run.command())));
    }

    private static String orNone(String value) {
        return value.isEmpty() ? Numbers.NONE : value;
    }

    private static Table changes(RunPair runs) {
        Table.Builder changes = Table.of("What differs in the environments").words("what", "A", "B");
        runs.changes()
                .forEach(change -> changes.line(
                        Table.field(change.name()),
                        List.of(Table.field(orNone(change.a())), Table.field(orNone(change.b())))));
        return changes.build();
    }

    /** A panel for each row: together they would be too long for a page. */
    private static ChartSection ratios(RunPair runs, Palette palette) {
        List<PanelGroup> groups = new ArrayList<>();
        for (Metric metric : RunPair.METRICS) {
            List<Double> range = range(runs, metric);
            List<Panel> panels = new ArrayList<>();
            for (String row : runs.rows()) {
                String id = "ratio-%d-%d".formatted(groups.size() + 1, panels.size() + 1);
                panels.add(panel(id, metric, row, runs.pairs(row), palette.colour(row), range));
            }
            groups.add(new PanelGroup(Sentence.capital(metric.title()), panels, List.of()));
        }
        return new ChartSection(
                "ratios",
                "B ÷ A",
                "ratio of the medians; the grey band is too little to count, a full point is more than noise; log scale",
                List.of(),
                groups,
                List.of(),
                Noise.rule() + " " + Noise.shiftRule());
    }

    private static Panel panel(
            String id, Metric metric, String row, List<CellPair> pairs, int colour, List<Double> range) {
        boolean oneLoad = pairs.stream()
                        .map(pair -> pair.a().workload().load())
                        .distinct()
                        .count()
                == 1;
        List<Map<String, Object>> bars = new ArrayList<>();
        Table.Builder table =
                Table.of(metric.title() + ", " + row).words("workload").numbers("A", "B", "B ÷ A", "chance");
        table.words("verdict");
        if (metric == Metric.CPU) {
            table.words("what each process takes of it");
        }
        String shape = "";
        for (CellPair pair : pairs) {
            Workload workload = pair.a().workload();
            FigureDifference difference = pair.difference(metric);
            if (!oneLoad && !shape.equals(Axis.shape(workload))) {
                shape = Axis.shape(workload);
                bars.add(Map.of("group", shape));
            }
            bars.add(bar(difference, pair, oneLoad ? Axis.shape(workload) : Axis.load(workload), colour));
            table.line(Table.field(Axis.brief(workload)), fields(difference, pair));
        }
        String load = oneLoad ? ", " + Axis.load(pairs.get(0).a().workload()) : "";
        return new Panel(
                id,
                Sentence.of("{}{}", Sentence.row(row), load),
                "Chart, %s of %s%s, B by A. The table below says the same.".formatted(metric.title(), row, load),
                Sentence.EMPTY,
                table.build(),
                Map.of("kind", "ratios", "unit", "ratio", "rows", bars, "range", range));
    }

    private static List<Table.TableField> fields(FigureDifference difference, CellPair pair) {
        Metric metric = difference.metric();
        List<Table.TableField> fields = new ArrayList<>(List.of(
                Table.field(metric.text(metric.of(pair.a()))),
                Table.field(metric.text(metric.of(pair.b()))),
                Table.field(Numbers.ratio(difference.ratio())),
                Table.field(difference.verdict().isJudged() ? Numbers.chance(difference.chance()) : Numbers.NONE),
                new Table.TableField(css(difference), List.of(Sentence.text(word(difference, pair))))));
        if (metric == Metric.CPU) {
            fields.add(Table.field(pair.shift()
                    .map(PartShift::judgedText)
                    .or(() -> PartShift.of(pair.a(), pair.b()).map(PartShift::text))
                    .orElse(Numbers.NONE)));
        }
        return fields;
    }

    /** One scale for all panels of a metric, with 1 and the noise in it. */
    private static List<Double> range(RunPair runs, Metric metric) {
        double[] ratios = runs.pairs().stream()
                .filter(CellPair::valid)
                .map(pair -> pair.difference(metric))
                .flatMapToDouble(difference ->
                        DoubleStream.of(difference.ratio(), 1 + difference.floor(), 1 / (1 + difference.floor())))
                .filter(Double::isFinite)
                .toArray();
        return List.of(
                DoubleStream.of(ratios).min().orElse(1),
                DoubleStream.of(ratios).max().orElse(1));
    }

    private static Map<String, Object> bar(FigureDifference difference, CellPair pair, String name, int colour) {
        Metric metric = difference.metric();
        Map<String, Object> bar = new LinkedHashMap<>();
        bar.put("name", difference.row());
        bar.put("text", name);
        bar.put("colour", colour);
        bar.put("invalid", !pair.valid());
        if (pair.valid()) {
            ChartData.put(bar, "value", difference.ratio());
        }
        if (difference.verdict().isJudged()) {
            ChartData.put(bar, "min", 1 / (1 + difference.floor()));
            ChartData.put(bar, "max", 1 + difference.floor());
        }
        bar.put("outside", difference.verdict() == Verdict.BETTER || difference.verdict() == Verdict.WORSE);
        bar.put(
                "label",
                pair.valid()
                        ? "×%s %s"
                                .formatted(Numbers.ratio(difference.ratio()), word(difference, pair))
                                .strip()
                        : "not valid");
        bar.put(
                "tip",
                List.of(
                        List.of("A", metric.text(metric.of(pair.a()))),
                        List.of("B", metric.text(metric.of(pair.b()))),
                        List.of("B ÷ A", difference.text())));
        return bar;
    }

    private static String word(FigureDifference difference, CellPair pair) {
        if (!pair.valid()) {
            return "not valid";
        }
        return difference.verdict() == Verdict.UNKNOWN
                ? "not judged"
                : difference.verdict().word();
    }

    private static String css(FigureDifference difference) {
        return switch (difference.verdict()) {
            case BETTER -> "better";
            case WORSE -> "worse";
            case SHIFTED -> "shifted";
            case SAME -> "same";
            case UNKNOWN, NONE -> "unknown";
        };
    }
}
