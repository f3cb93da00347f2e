package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The answer of a run: which row is cheapest, whether that holds under other workloads, which is fastest. */
final class AnswerSentences {

    private final MeasuredRun run;

    AnswerSentences(MeasuredRun run) {
        this.run = run;
    }

    private Ranking ranking(Metric metric, Workload workload) {
        return Ranking.of(run, metric, workload);
    }

    private int entries(Metric metric, Workload workload) {
        return ranking(metric, workload).entries().size();
    }

    /**
     * The workload that the first sentence is about: of the closed ones that most rows did, the highest one of unary
     * calls without a payload over loopback, or the highest where there is none of these.
     */
    Optional<Workload> headline() {
        return Stream.of(run.closed(), run.open())
                .map(workloads -> workloads.stream()
                        .filter(workload -> entries(Metric.CPU, workload) > 0 || entries(Metric.CALLS, workload) > 0)
                        .max(Comparator.<Workload>comparingInt(workload -> entries(Metric.CALLS, workload))
                                .thenComparing(
                                        workload -> Axis.further(workload).isEmpty())
                                .thenComparing(Comparator.naturalOrder())))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Some sentences; the first is the one to remember. */
    List<Sentence> sentences() {
        return headline()
                .map(this::sentences)
                .orElseGet(
                        () -> List.of(
                                Sentence.text(
                                        run.results().cells().isEmpty()
                                                ? "Nothing was measured, so there is nothing to say."
                                                : run.results().cells().stream().anyMatch(Cell::valid)
                                                        ? "Nothing here can be ranked: see below why."
                                                        : "No cell is valid, so there is nothing to rank: see below what went wrong.")));
    }

    private List<Sentence> sentences(Workload headline) {
        List<Sentence> answer = new ArrayList<>();
        Metric metric = entries(Metric.CPU, headline) == 0 ? Metric.CALLS : Metric.CPU;
        Ranking ranking = ranking(metric, headline);
        answer.add(RankingSentence.order(ranking, "at " + Axis.text(headline)));
        elsewhere(metric, headline).ifPresent(answer::add);
        if (metric == Metric.CPU) {
            throughput(headline).ifPresent(answer::add);
        }
        if (RankingSentence.isIndication(ranking)) {
            answer.add(Sentence.text(RankingSentence.INDICATION));
        }
        return answer;
    }

    /** Whether the leaders of the headline lead under the other workloads of its model. */
    private Optional<Sentence> elsewhere(Metric metric, Workload headline) {
        List<Workload> all = run.workloads(headline.isOpen());
        List<Workload> workloads =
                all.stream().filter(workload -> entries(metric, workload) > 1).toList();
        if (workloads.size() < 2 || ranking(metric, headline).leading().isEmpty()) {
            return Optional.empty();
        }
        Map<List<String>, Integer> byLeaders = new LinkedHashMap<>();
        workloads.forEach(workload -> byLeaders.merge(
                ranking(metric, workload).leading().stream().sorted().toList(), 1, Integer::sum));
        if (byLeaders.size() == 1) {
            return Optional.of(Sentence.text(
                    workloads.size() < all.size()
                            ? "That holds wherever there is something to compare."
                            : workloads.size() == 2
                                    ? "That holds under both workloads."
                                    : "That holds under all %d workloads.".formatted(workloads.size())));
        }
        if (workloads.size() > 4) {
            return Optional.of(Sentence.of(
                    "The order depends on the workload: of {}, {}.",
                    workloads.size(),
                    Sentence.list(counts(metric, byLeaders))));
        }
        boolean oneLoad = workloads.stream().map(Workload::load).distinct().count() == 1;
        List<Sentence> others = grouped(
                workloads.stream()
                        .filter(workload -> !workload.equals(headline))
                        .map(workload -> ranking(metric, workload))
                        .toList(),
                workload -> "at " + (oneLoad ? Axis.shape(workload) : Axis.text(workload)));
        return Optional.of(Sentence.of("The order depends on the workload: {}.", Sentence.joined("; ", others)));
    }

    private static List<Sentence> counts(Metric metric, Map<List<String>, Integer> byLeaders) {
        List<Sentence> counts = new ArrayList<>();
        byLeaders.entrySet().stream()
                .filter(entry -> entry.getKey().size() == 1)
                .sorted(Comparator.comparingInt(entry -> -entry.getValue()))
                .forEach(entry -> counts.add(Sentence.of(
                        "{} {} at {}",
                        Sentence.row(entry.getKey().get(0)),
                        RankingSentence.leads(metric),
                        entry.getValue())));
        int close = byLeaders.entrySet().stream()
                .filter(entry -> entry.getKey().size() > 1)
                .mapToInt(Map.Entry::getValue)
                .sum();
        if (close > 0) {
            counts.add(Sentence.text("the best are too close to rank at " + close));
        }
        return counts;
    }

    private Optional<Sentence> throughput(Workload workload) {
        Ranking calls = ranking(Metric.CALLS, workload);
        if (calls.entries().size() < 2) {
            return Optional.empty();
        }
        boolean same = calls.leading().size() == 1
                && calls.leading().equals(ranking(Metric.CPU, workload).leading());
        return Optional.of(same ? RankingSentence.alsoMakesTheMost(calls) : RankingSentence.order(calls, ""));
    }

    /** "with 1 user, able costs least", "with 10 users and 100 users, able and baker are too close to rank" */
    static List<Sentence> grouped(List<Ranking> rankings, Function<Workload, String> where) {
        return rankings.stream()
                .filter(ranking -> !ranking.entries().isEmpty())
                .collect(Collectors.groupingBy(RankingSentence::leaders, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(entry -> Sentence.of(
                        "{}, {}",
                        Sentence.words(entry.getValue().stream()
                                .map(ranking -> where.apply(ranking.workload()))
                                .toList()),
                        entry.getKey()))
                .toList();
    }
}
