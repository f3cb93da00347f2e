package dev.chatterbox.report;

import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.Ranking;
import dev.chatterbox.results.SliceFigures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A run for continuous integration, in the XML format that JUnit's tools read: a suite is a workload, a test is a
 * variant. A test fails if its variant makes the command fail: the variant is not valid, cannot be judged, or costs
 * more than the base by more than is allowed. A variant that is valid but not ranked is skipped.
 */
final class JUnitXml {

    enum Outcome {
        PASSED,
        FAILURE,
        SKIPPED
    }

    /**
     * @param suite the workload
     * @param seconds of all slices
     * @param message why the test did not pass
     * @param output what was measured
     */
    record Test(String suite, String name, String seconds, Outcome outcome, String message, String output) {}

    private JUnitXml() {}

    /** @param failAbove the part by which a variant may cost more than the base: 0.05 is 5 % */
    static String of(MeasuredRun run, double failAbove) {
        Stream<Test> tests = run.hasSides()
                ? Against.of(run.results()).ratios().stream().map(ratio -> test(run, ratio, failAbove))
                : run.rankings().stream()
                        .flatMap(ranking -> ranking.places().stream())
                        .map(JUnitXml::test);
        Map<String, List<Test>> suites =
                tests.collect(Collectors.groupingBy(Test::suite, LinkedHashMap::new, Collectors.toList()));
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + Templates.render("junit.jte", Map.of("title", "chatterbox " + run.meta(), "suites", suites));
    }

    static long count(List<Test> tests, Outcome outcome) {
        return tests.stream().filter(test -> test.outcome == outcome).count();
    }

    private static Test test(Ranking.Place place) {
        Cell cell = place.cell();
        Outcome ranked = cell.whyNotRanked().isEmpty() ? Outcome.PASSED : Outcome.SKIPPED;
        return new Test(
                cell.workload().toString(),
                cell.variant(),
                seconds(Stream.of(cell)),
                cell.valid() ? ranked : Outcome.FAILURE,
                Stream.concat(
                                cell.whyNotRanked().stream(),
                                cell.slices().stream()
                                        .flatMap(slice -> slice.reasons().stream())
                                        .distinct())
                        .collect(Collectors.joining("; ")),
                "%s CPU-µs a call".formatted(Numbers.withInterval(place.cost(), Numbers::digits)));
    }

    private static Test test(MeasuredRun run, Against.Ratio ratio, double failAbove) {
        List<Caveat> caveats = ratio.cpu().caveats();
        return new Test(
                ratio.workload().toString(),
                ratio.variant(),
                seconds(run.results().cell(ratio.variant(), ratio.workload(), Against.THIS).stream()),
                ratio.isJudged() && !ratio.costsMoreThan(failAbove) ? Outcome.PASSED : Outcome.FAILURE,
                caveats.isEmpty()
                        ? ratio.verdict()
                        : caveats.stream().map(Caveat::toString).collect(Collectors.joining("; ")),
                "%s CPU-µs a call, the base %s: %s"
                        .formatted(
                                Numbers.digits(ratio.own().value()),
                                Numbers.digits(ratio.base().value()),
                                ratio.verdict()));
    }

    private static String seconds(Stream<Cell> cells) {
        double seconds = cells.flatMap(cell -> cell.slices().stream())
                .mapToDouble(SliceFigures::seconds)
                .sum();
        return String.format(Locale.ROOT, "%.3f", seconds);
    }
}
