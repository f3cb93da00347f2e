package dev.chatterbox.report;

import dev.chatterbox.report.Ranking.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** One ranking in words. */
final class RankingSentence {

    /** What must stand beside an order that no spread supports. */
    static final String INDICATION = "Fewer than five rounds are too few to test: an indication, not a ranking.";

    private RankingSentence() {}

    /** The whole order, and whether it is more than an indication. */
    static Sentence of(Ranking ranking, String where) {
        Sentence order = order(ranking, where);
        return isIndication(ranking) ? order.then(" " + INDICATION) : order;
    }

    static boolean isIndication(Ranking ranking) {
        return ranking.entries().size() > 1 && !ranking.judged();
    }

    /** @param where begins the sentence: "at 100 users"; may be empty */
    static Sentence order(Ranking ranking, String where) {
        return order(ranking, where, "");
    }

    /** The order by throughput of a row that was named as the best of something else before. */
    static Sentence alsoMakesTheMost(Ranking ranking) {
        return order(ranking, "", "also ");
    }

    private static Sentence order(Ranking ranking, String where, String also) {
        List<Entry> entries = ranking.entries();
        Sentence order = Sentence.text(where.isEmpty() ? "" : where + ", ");
        if (entries.isEmpty()) {
            order = order.then(ranking.unranked().isEmpty() ? "nothing valid was measured" : "nothing can be ranked");
        } else if (entries.size() == 1) {
            order = order.then(alone(ranking.metric(), entries.get(0)))
                    .then(", and there is nothing to compare it with");
        } else {
            order = order.then(
                            ranking.leaders().size() == 1
                                    ? lead(ranking.metric(), entries.get(0), also)
                                    : close(ranking))
                    .then(others(ranking));
        }
        order = order.then(".").capital();
        if (!ranking.invalid().isEmpty()) {
            order = order.then(Sentence.of(
                    " {} {} not valid here and not ranked.",
                    Sentence.rows(ranking.invalid()),
                    ranking.invalid().size() == 1 ? "is" : "are"));
        }
        if (!ranking.unranked().isEmpty()) {
            order = order.then(Sentence.of(
                    " {} {} shown and not ranked here.",
                    Sentence.rows(ranking.unranked()),
                    ranking.unranked().size() == 1 ? "is" : "are"));
        }
        if (!ranking.missing().isEmpty() && !entries.isEmpty()) {
            order = order.then(Sentence.of(
                    " {} {} no figure here.",
                    Sentence.rows(ranking.missing()),
                    ranking.missing().size() == 1 ? "has" : "have"));
        }
        return order;
    }

    private static Sentence alone(Metric metric, Entry only) {
        String pattern = switch (metric) {
            case CPU -> "a call over {} costs {} of CPU";
            case CALLS -> "{} makes {}";
            case REQUESTS -> "{} answers {}";
            case REQUEST_P50 -> "{} answers half of its requests within {}";
            case REQUEST_P99 -> "{} answers 99 % of its requests within {}";
            case CALL_P99 -> "{} answers 99 % of its calls within {}";
        };
        return Sentence.of(pattern, Sentence.row(only.row()), metric.text(only.figure()));
    }

    private static Sentence lead(Metric metric, Entry best, String also) {
        String pattern = switch (metric) {
            case CPU -> "a call over {} {}costs least, {} of CPU";
            case CALLS -> "{} {}makes the most calls, {}";
            case REQUESTS -> "{} {}answers the most requests, {}";
            case REQUEST_P50 -> "{} {}answers half of its requests soonest, within {}";
            case REQUEST_P99 -> "{} {}answers 99 % of its requests soonest, within {}";
            case CALL_P99 -> "{} {}answers 99 % of its calls soonest, within {}";
        };
        return Sentence.of(pattern, Sentence.row(best.row()), also, metric.text(best.figure()));
    }

    private static Sentence close(Ranking ranking) {
        List<Entry> byName = ranking.leaders().stream()
                .sorted(Comparator.comparing(Entry::row))
                .toList();
        return Sentence.of(
                "{} are too close to rank ({}{})",
                Sentence.rows(byName.stream().map(Entry::row).toList()),
                Sentence.words(byName.stream()
                        .map(entry -> ranking.metric().text(entry.figure()))
                        .toList()),
                ranking.metric() == Metric.CPU ? " of CPU per call" : "");
    }

    /** Three at most: of more, the next and the last. */
    private static Sentence others(Ranking ranking) {
        List<Entry> others = ranking.others();
        if (others.isEmpty()) {
            return Sentence.EMPTY;
        }
        boolean many = others.size() > 3;
        List<Sentence> parts = new ArrayList<>();
        if (many) {
            parts.add(other(ranking, others.get(0), ", the next", true));
            parts.add(other(ranking, others.get(others.size() - 1), ", the last", false));
        } else {
            others.forEach(other -> parts.add(other(ranking, other, "", parts.isEmpty())));
        }
        boolean tie = ranking.leaders().size() > 1;
        String between = !ranking.metric().moreIsBetter() ? "; " : tie ? "; the best makes " : ", ";
        return Sentence.of("{}{}", between, Sentence.list(parts));
    }

    /** @param first whether it needs its verb, which the following ones share */
    private static Sentence other(Ranking ranking, Entry other, String rank, boolean first) {
        Sentence row = Sentence.of("{}{}", Sentence.row(other.row()), rank);
        String times = Numbers.times(ranking.times(other));
        String value = ranking.metric().text(other.figure());
        if (ranking.metric().moreIsBetter()) {
            return Sentence.of("{} times as many as {} ({})", times, row, value);
        }
        String comma = rank.isEmpty() ? "" : ",";
        if (!first) {
            return Sentence.of("{}{} {} times ({})", row, comma, times, value);
        }
        return Sentence.of(
                ranking.metric() == Metric.CPU
                        ? "{}{} costs {} times as much ({})"
                        : "{}{} takes {} times as long ({})",
                row,
                comma,
                times,
                value);
    }

    /** "able costs least", "able and baker are too close to rank" */
    static Sentence leaders(Ranking ranking) {
        List<String> leading = ranking.leading().stream().sorted().toList();
        if (ranking.entries().size() == 1) {
            return Sentence.of("there is only {}", Sentence.row(leading.get(0)));
        }
        return leading.size() > 1
                ? Sentence.of("{} are too close to rank", Sentence.rows(leading))
                : Sentence.of("{} {}", Sentence.row(leading.get(0)), leads(ranking.metric()));
    }

    static String leads(Metric metric) {
        return switch (metric) {
            case CPU -> "costs least";
            case CALLS, REQUESTS -> "makes the most calls";
            case REQUEST_P50, REQUEST_P99, CALL_P99 -> "answers soonest";
        };
    }
}
