package dev.chatterbox.report;

import dev.chatterbox.report.claims.Claim;
import dev.chatterbox.report.claims.ClaimResult;
import dev.chatterbox.report.claims.ClaimResult.CaseResult;
import dev.chatterbox.report.claims.ClaimResult.Step;
import dev.chatterbox.report.claims.Verdict;
import dev.chatterbox.report.tables.Emphasis;
import dev.chatterbox.report.tables.Table;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Estimate;
import dev.chatterbox.results.Results;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Published claims next to what runs of ours say of them: for a terminal, and as Markdown. */
public final class ClaimsPage {

    /** How the terms in the tables are meant. */
    static final String TERMS =
            "Each ratio says how many times better the first of the two systems is. As published: our rows with the published"
                    + " settings. Repaired: rows that differ from them in the setting that is thought to carry the claim."
                    + " Share: the part of the published ratio that this setting carries, by logarithms. A ratio agrees if its"
                    + " 99 % interval lies within a factor of 2 of the published one, which for a published ratio near 1 is a weak"
                    + " test; where the source has no figure, if the interval lies above 1.";

    private final List<ClaimResult> results;
    private final List<Results> runs;

    /** A published ratio with its claim. */
    private record Line(ClaimResult result, CaseResult one) {

        private String id() {
            return result.claim().id();
        }

        private Estimate share() {
            return Double.isNaN(one.share())
                    ? Estimate.NONE
                    : Estimate.of(one.share(), one.repaired().caveats());
        }
    }

    /**
     * @param claims in the order in which they are shown
     * @param runs the results of runs, by the name of the run; a claim whose run is not there was not measured
     */
    public ClaimsPage(Collection<Claim> claims, Map<String, Results> runs) {
        results = claims.stream()
                .map(claim -> ClaimResult.of(
                        claim, claim.trial().map(trial -> runs.get(trial.run())).orElse(null)))
                .toList();
        this.runs = List.copyOf(runs.values());
    }

    private List<ClaimResult> measured() {
        return results.stream().filter(result -> !result.cases().isEmpty()).toList();
    }

    private List<Line> cases() {
        return measured().stream()
                .flatMap(result -> result.cases().stream().map(one -> new Line(result, one)))
                .toList();
    }

    /** One sentence for people in a hurry. */
    String headline() {
        return Stream.of(Verdict.values())
                .map(verdict -> Map.entry(
                        verdict,
                        results.stream()
                                .filter(result -> result.verdict() == verdict)
                                .count()))
                .filter(count -> count.getValue() > 0)
                .map(count -> "%s %s"
                        .formatted(
                                Numbers.counted(count.getValue(), "claim"), plural(count.getKey(), count.getValue())))
                .collect(Collectors.joining(
                        "; ",
                        "",
                        ". %d of the verdicts come from figures with a caveat."
                                .formatted(results.stream()
                                        .filter(result -> !result.caveats().isEmpty())
                                        .count())));
    }

    private static String plural(Verdict verdict, long count) {
        return count == 1
                ? verdict.text()
                : switch (verdict) {
                    case HOLDS -> "hold here";
                    case AS_PUBLISHED -> "hold under the published settings only";
                    case DOES_NOT_HOLD -> "do not hold here";
                    case NOT_SHOWN -> "cannot be shown on this machine, or not yet";
                };
    }

    String meta() {
        return runs.stream().map(run -> MeasuredRun.of(run.name(), run).meta()).collect(Collectors.joining("; "));
    }

    Table ratios() {
        Table.Description<Line> table = Table.<Line>of("")
                .text("claim", Line::id)
                .text("systems", line -> line.result.claim().systems())
                .text("workload", line -> Axis.text(line.one.of().workload()))
                .spare(3)
                .caveats(line -> List.of())
                .number("published", line -> line.one.of().ratio(), ClaimsPage::published);
        RunTables.withInterval(table, "as published, here", line -> line.one.published(), Numbers::ratio);
        RunTables.withInterval(table, "repaired", line -> line.one.repaired(), Numbers::ratio);
        return table.printed("share", Line::share, line -> Numbers.percent(line.one.share()))
                .text("verdict", line -> line.result.text())
                .spare(2)
                .table(cases());
    }

    private static String published(double ratio) {
        return ratio == Claim.SIGN_ONLY ? "above 1" : Numbers.ratio(ratio);
    }

    Table ladder(ClaimResult result) {
        return RunTables.withInterval(
                        Table.<Step>of("").text("from", Step::from).text("to", Step::to),
                        "a call's CPU time falls by a factor of",
                        Step::factor,
                        Numbers::ratio)
                .table(result.ladder());
    }

    Table waiting() {
        return Table.<ClaimResult>of("")
                .text("claim", result -> result.claim().id())
                .text("source", result -> result.claim().source())
                .text("class", result -> result.claim().kind())
                .text("systems", result -> result.claim().systems())
                .text("what it says", result -> result.claim().claim())
                .text("why not", ClaimResult::why)
                .text(
                        "what we saw otherwise",
                        result -> result.claim().trial().isPresent()
                                ? ""
                                : result.claim().seen())
                .table(results.stream()
                        .filter(result -> result.cases().isEmpty())
                        .toList());
    }

    /** All claims in short: number, class, source, systems, and what each needs. */
    public static List<String> list(Collection<Claim> claims) {
        Table table = Table.<Claim>of("")
                .text("claim", Claim::id)
                .text("class", Claim::kind)
                .text("source", Claim::source)
                .text("systems", Claim::systems)
                .text(
                        "run, or what it waits for",
                        claim -> claim.trial().map(Claim.Trial::run).orElse("waits for " + claim.needs()))
                .table(claims);
        List<String> lines = new ArrayList<>(TableText.terminal(table, Emphasis.NONE));
        lines.add("");
        lines.addAll(TableText.wrapped(
                "",
                "Class A needs rows and workloads that are there, B one-way messages or a row as published, C clusters, topics"
                        + " or subscriptions; X: two cores show only sign and shape."));
        return lines;
    }

    /** The lines for a terminal, at most 100 columns wide. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (!cases().isEmpty()) {
            lines.addAll(TableText.terminal(ratios(), Emphasis.NONE));
            lines.add("");
            lines.addAll(TableText.wrapped("", TERMS));
            lines.add("");
        }
        for (ClaimResult result : measured()) {
            lines.addAll(TableText.wrapped("", told(result)));
        }
        lines.addAll(TableText.wrapped("", headline()));
        return lines;
    }

    private static String told(ClaimResult result) {
        return "%s: %s. The setting: %s."
                .formatted(
                        result.claim().id(),
                        result.text(),
                        result.claim().trial().map(Claim.Trial::setting).orElse(""));
    }

    /** What docs/claims.md shows of it. */
    public String markdown() {
        List<String> parts = new ArrayList<>();
        parts.add(paragraph(headline()));
        parts.add(paragraph("Measured: " + meta() + "."));
        parts.add(TableText.markdown(ratios()));
        parts.add(paragraph(TERMS));
        for (ClaimResult result : measured()) {
            Claim claim = result.claim();
            Claim.Trial trial = claim.trial().orElseThrow();
            String caveats = result.caveats().stream().map(Caveat::toString).collect(Collectors.joining("; "));
            parts.add("### %s: %s\n".formatted(claim.id(), claim.systems()));
            parts.add(bullets(
                    "Published (%s): %s".formatted(claim.source(), claim.claim()),
                    "Conditions: " + claim.conditions(),
                    "Rows as published: %s. Repaired: %s".formatted(trial.published(), trial.repaired()),
                    "The setting that is thought to carry it: " + trial.setting(),
                    "What we thought before the run: " + claim.hypothesis(),
                    "What became of that: " + (claim.seen().isEmpty() ? "not judged yet" : claim.seen()),
                    "Verdict: %s".formatted(result.text()),
                    caveats.isEmpty() ? "" : "Caveats: " + caveats));
            if (!result.ladder().isEmpty()) {
                parts.add(TableText.markdown(ladder(result)));
                parts.add(paragraph("The factors multiply to %s."
                        .formatted(Numbers.ratio(result.ladder().stream()
                                .map(Step::factor)
                                .mapToDouble(Estimate::value)
                                .reduce(1, (a, b) -> a * b)))));
            }
        }
        parts.add("### Not shown yet\n");
        parts.add(TableText.markdown(waiting()));
        return String.join("\n", parts);
    }

    private static String paragraph(String text) {
        return TableText.wrapped("", text).stream().map(String::strip).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String bullets(String... texts) {
        return Stream.of(texts)
                .filter(text -> !text.isEmpty())
                .map(text -> TableText.wrapped("", TableText.escaped(text) + ".").stream()
                        .map(String::strip)
                        .collect(Collectors.joining("\n  ", "- ", "\n")))
                .collect(Collectors.joining());
    }
}
