package dev.chatterbox.report;

import dev.chatterbox.report.claims.Claim;
import dev.chatterbox.report.claims.ClaimResult;
import dev.chatterbox.report.claims.ClaimResult.CaseResult;
import dev.chatterbox.report.claims.Verdict;
import dev.chatterbox.report.tables.Emphasis;
import dev.chatterbox.report.tables.Table;
import dev.chatterbox.report.tables.TableText;
import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.Results;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Published claims next to what runs of ours say of them: for a terminal, and as Markdown. */
public final class ClaimsPage {

    /** How the terms in the tables are meant. */
    static final String TERMS =
            "Each ratio says how many times better the first of the two systems is. As published: our variants with the published"
                    + " settings; the verdict is on these. Changed: variants that differ from them in the setting that is thought"
                    + " to carry the claim. Share: the part of our ratio as published that is gone then, by logarithms, where"
                    + " both intervals leave out 1 and the change brings our ratio nearer to 1.";

    private final List<ClaimResult> results;
    private final List<Results> runs;

    /** A published ratio with its claim. */
    private record Line(ClaimResult result, CaseResult ratio) {}

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

    /** How many claims there are, what was measured, and what came out of it. */
    String headline() {
        List<CaseResult> cases = cases().map(Line::ratio).toList();
        Map<Verdict, Long> counts = cases.stream()
                .collect(Collectors.groupingBy(
                        CaseResult::verdict, () -> new EnumMap<>(Verdict.class), Collectors.counting()));
        return "%s, %d of them measured, by %s. %s: %s. %d of the verdicts come from figures with a caveat."
                .formatted(
                        Numbers.counted(claims(results), "claim"),
                        claims(measured()),
                        Numbers.counted(measured().size(), "file"),
                        Numbers.counted(cases.size(), "published ratio"),
                        counts.entrySet().stream()
                                .map(count ->
                                        count.getValue() + " " + count.getKey().text())
                                .collect(Collectors.joining(", ")),
                        cases.stream()
                                .filter(ratio -> !ratio.caveats().isEmpty())
                                .count());
    }

    /** Files such as 0.5 and 0.5-3 belong to one claim. */
    private static long claims(List<ClaimResult> results) {
        return results.stream()
                .map(result -> result.claim().id().replaceFirst("-.*", ""))
                .distinct()
                .count();
    }

    private Stream<Line> cases() {
        return measured().stream().flatMap(result -> result.cases().stream().map(ratio -> new Line(result, ratio)));
    }

    String meta() {
        return runs.stream().map(run -> MeasuredRun.of(run.name(), run).meta()).collect(Collectors.joining("; "));
    }

    Table ratios() {
        return Table.<Line>of("")
                .text("claim", line -> line.result.claim().id())
                .text("systems", line -> line.result.claim().text("systems"))
                .text("workload", line -> WorkloadText.of(line.ratio.of().workload()))
                .spare(3)
                .caveats(line -> List.of())
                .number("published", line -> line.ratio.of().ratio(), ClaimsPage::published)
                .withInterval("as published, here", line -> line.ratio.published(), Numbers::ratio)
                .text("verdict", line -> line.ratio.text())
                .spare(2)
                .withInterval("changed", line -> line.ratio.repaired(), Numbers::ratio)
                .printed("share", line -> line.ratio.share(), ClaimsPage::share)
                .table(cases().toList());
    }

    private static String share(Line line) {
        return Numbers.percent(line.ratio.share().value());
    }

    private static String published(double ratio) {
        return ratio == Claim.SIGN_ONLY ? "above 1" : Numbers.ratio(ratio);
    }

    Table waiting() {
        return Table.<ClaimResult>of("")
                .text("claim", result -> result.claim().id())
                .text("source", result -> result.claim().text("source"))
                .text("class", result -> result.claim().text("class"))
                .text("systems", result -> result.claim().text("systems"))
                .text("what it says", result -> result.claim().text("claim"))
                .text("why not", ClaimResult::why)
                .text(
                        "what we saw otherwise",
                        result -> result.claim().trial().isPresent()
                                ? ""
                                : result.claim().text("seen"))
                .table(results.stream()
                        .filter(result -> result.cases().isEmpty())
                        .toList());
    }

    /** All claims in short: number, class, source, systems, and what each needs. */
    public static List<String> list(Collection<Claim> claims) {
        Table table = Table.<Claim>of("")
                .text("claim", Claim::id)
                .text("class", claim -> claim.text("class"))
                .text("source", claim -> claim.text("source"))
                .text("systems", claim -> claim.text("systems"))
                .text(
                        "run, or what it waits for",
                        claim -> claim.trial().map(Claim.Trial::run).orElse("waits for " + claim.text("needs")))
                .table(claims);
        List<String> lines = new ArrayList<>(TableText.terminal(table, Emphasis.NONE));
        lines.add("");
        lines.addAll(TableText.wrapped(
                "",
                "Class A needs variants and workloads that are there, B one-way messages or a variant as published, C clusters, topics"
                        + " or subscriptions; X: two cores show only sign and shape."));
        return lines;
    }

    /** The ratios and the headline for a terminal, at most 100 columns wide; {@link #markdown} explains them. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (!measured().isEmpty()) {
            lines.addAll(TableText.terminal(ratios(), Emphasis.NONE));
            lines.add("");
        }
        lines.addAll(TableText.wrapped("", headline()));
        return lines;
    }

    /** What docs/claims.md shows of it. */
    public String markdown() {
        List<String> parts = new ArrayList<>();
        parts.add(TableText.paragraph(headline()));
        parts.add(TableText.paragraph("Measured: " + meta() + "."));
        parts.add(TableText.markdown(ratios()));
        parts.add(TableText.paragraph(TERMS));
        for (ClaimResult result : measured()) {
            Claim claim = result.claim();
            Claim.Trial trial = claim.trial().orElseThrow();
            String caveats = result.cases().stream()
                    .flatMap(ratio -> ratio.caveats().stream())
                    .map(Caveat::toString)
                    .distinct()
                    .collect(Collectors.joining("; "));
            String verdicts = result.cases().stream()
                    .map(ratio -> "%s %s".formatted(published(ratio.of().ratio()), ratio.text()))
                    .collect(Collectors.joining("; "));
            parts.add("### %s: %s\n".formatted(claim.id(), claim.text("systems")));
            parts.add(bullets(
                    "Published (%s): %s".formatted(claim.text("source"), claim.text("claim")),
                    "Conditions: " + claim.text("conditions"),
                    "Variants as published: %s. With the setting changed: %s"
                            .formatted(trial.published(), trial.repaired()),
                    "The setting that is thought to carry it: " + trial.setting(),
                    "What we thought before the run: " + claim.text("hypothesis"),
                    "Outcome: " + (claim.text("seen").isEmpty() ? "not judged yet" : claim.text("seen")),
                    claim.text("not-comparable").isEmpty() ? "" : "Not comparable: " + claim.text("not-comparable"),
                    "Verdicts on the published ratios: " + verdicts,
                    caveats.isEmpty() ? "" : "Caveats: " + caveats));
        }
        parts.add("### Not measured\n");
        parts.add(TableText.markdown(waiting()));
        return String.join("\n", parts);
    }

    private static String bullets(String... texts) {
        return Stream.of(texts)
                .filter(text -> !text.isEmpty())
                .map(text -> "- " + String.join("\n", TableText.wrapped("", TableText.escaped(text) + ".")) + "\n")
                .collect(Collectors.joining());
    }
}
