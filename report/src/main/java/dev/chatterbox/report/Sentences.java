package dev.chatterbox.report;

import dev.chatterbox.report.Crossovers.Crossing;
import dev.chatterbox.report.Ranking.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the numbers say, in words. Every sentence is computed; none knows a transport. */
final class Sentences {

    private static final String INDICATION = " Fewer than three rounds show no spread: an indication, not a ranking.";

    private final Results results;

    Sentences(Results results) {
        this.results = results;
    }

    /** The load that the first sentence is about: the closed one that most transports did, the highest of these. */
    Optional<Load> headline() {
        return Stream.of(true, false)
                .map(closed -> results.loads(closed).stream()
                        .filter(load -> !ranking(Metric.CPU, load).entries().isEmpty()
                                || !ranking(Metric.CALLS, load).entries().isEmpty())
                        .max(Comparator.<Load>comparingInt(load ->
                                        ranking(Metric.CALLS, load).entries().size())
                                .thenComparing(Comparator.naturalOrder())))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Ranking ranking(Metric metric, Load load) {
        return Ranking.of(results, metric, load);
    }

    /** Two or three sentences: who is cheapest, whether that holds at other loads, who is fastest. */
    List<String> answer() {
        List<String> answer = new ArrayList<>();
        headline()
                .ifPresentOrElse(
                        load -> {
                            Metric first = ranking(Metric.CPU, load).entries().isEmpty() ? Metric.CALLS : Metric.CPU;
                            String sentence = ranking(ranking(first, load), "At " + load.text());
                            answer.add(sentence.replace(INDICATION, ""));
                            holds(first, load).ifPresent(answer::add);
                            if (first == Metric.CPU) {
                                throughput(load).ifPresent(answer::add);
                            }
                            if (sentence.endsWith(INDICATION)) {
                                answer.add(INDICATION.strip());
                            }
                        },
                        () -> answer.add(
                                results.cells().isEmpty()
                                        ? "Nothing was measured, so there is nothing to say."
                                        : "No cell is valid, so there is nothing to rank: see below what went wrong."));
        return answer;
    }

    /** Whether the leaders of one load lead at the other closed ones. */
    private Optional<String> holds(Metric metric, Load headline) {
        List<String> leading = ranking(metric, headline).leading();
        List<Load> loads = results.loads(headline.closed()).stream()
                .filter(load -> ranking(metric, load).entries().size() > 1)
                .toList();
        if (loads.size() < 2 || leading.isEmpty()) {
            return Optional.empty();
        }
        Map<List<String>, List<Load>> byLeaders = loads.stream()
                .collect(Collectors.groupingBy(
                        load -> ranking(metric, load).leading().stream()
                                .sorted()
                                .toList(),
                        LinkedHashMap::new,
                        Collectors.toList()));
        if (byLeaders.size() == 1) {
            boolean everywhere =
                    loads.size() == results.loads(headline.closed()).size();
            return Optional.of(
                    !everywhere
                            ? "That holds wherever there is something to compare."
                            : loads.size() == 2
                                    ? "That holds at both loads."
                                    : "That holds at all %d loads.".formatted(loads.size()));
        }
        if (loads.size() > 4) {
            return Optional.of("The order depends on the load: of %d, %s."
                    .formatted(loads.size(), Format.list(counts(metric, byLeaders))));
        }
        List<Load> elsewhere =
                loads.stream().filter(load -> !load.equals(headline)).toList();
        boolean onlyCallsDiffer = loads.stream().map(Load::pressure).distinct().count() == 1;
        return Optional.of("The order depends on the load: "
                + grouped(metric, elsewhere, load -> "at " + (onlyCallsDiffer ? load.callsText() : load.text())) + ".");
    }

    private static List<String> counts(Metric metric, Map<List<String>, List<Load>> byLeaders) {
        List<String> counts = new ArrayList<>();
        byLeaders.entrySet().stream()
                .filter(entry -> entry.getKey().size() == 1)
                .sorted(Comparator.comparingInt(entry -> -entry.getValue().size()))
                .forEach(entry -> counts.add("%s %s at %d"
                        .formatted(
                                entry.getKey().get(0),
                                verb(metric),
                                entry.getValue().size())));
        int close = byLeaders.entrySet().stream()
                .filter(entry -> entry.getKey().size() > 1)
                .mapToInt(entry -> entry.getValue().size())
                .sum();
        if (close > 0) {
            counts.add("the best are too close to rank at " + close);
        }
        return counts;
    }

    private static String verb(Metric metric) {
        return switch (metric) {
            case CPU -> "costs least";
            case CALLS, REQUESTS -> "makes the most calls";
            case REQUEST_P99, CALL_P99 -> "answers soonest";
        };
    }

    /** "with 1 user, able leads; with 100 users, able and baker are too close to rank" */
    private String grouped(Metric metric, List<Load> loads, Function<Load, String> where) {
        Map<String, List<Load>> byWords = new LinkedHashMap<>();
        for (Load load : loads) {
            Ranking ranking = ranking(metric, load);
            if (!ranking.entries().isEmpty()) {
                byWords.computeIfAbsent(shortly(ranking), words -> new ArrayList<>())
                        .add(load);
            }
        }
        return byWords.entrySet().stream()
                .map(entry -> Format.list(entry.getValue().stream().map(where).toList()) + ", " + entry.getKey())
                .collect(Collectors.joining("; "));
    }

    private static String shortly(Ranking ranking) {
        List<String> leading = ranking.leading().stream().sorted().toList();
        if (ranking.entries().size() == 1) {
            return "there is only " + leading.get(0);
        }
        return leading.size() > 1
                ? Format.list(leading) + " are too close to rank"
                : leading.get(0) + " " + verb(ranking.metric());
    }

    private Optional<String> throughput(Load load) {
        Ranking cpu = ranking(Metric.CPU, load);
        Ranking calls = ranking(Metric.CALLS, load);
        if (calls.entries().size() < 2) {
            return Optional.empty();
        }
        boolean same = cpu.leading().equals(calls.leading()) && calls.leading().size() == 1;
        String sentence = ranking(calls, "").replace(INDICATION, "");
        return Optional.of(same ? sentence.replaceFirst(" makes the most", " also makes the most") : sentence);
    }

    /** One or two sentences for a chart of several loads: the last one in full, the others in short. */
    String chart(Metric metric, List<Load> loads) {
        List<Load> measured = loads.stream()
                .filter(load -> !ranking(metric, load).entries().isEmpty())
                .toList();
        if (measured.isEmpty()) {
            return "Nothing valid was measured here.";
        }
        Load last = measured.get(measured.size() - 1);
        String first = ranking(ranking(metric, last), measured.size() == 1 ? "" : where(last));
        String rest = grouped(metric, measured.subList(0, measured.size() - 1), Sentences::where);
        return rest.isEmpty() ? first : first + " " + capital(rest) + ".";
    }

    private static String where(Load load) {
        return load.closed() ? "with " + load.pressure() : "at " + load.pressure();
    }

    /** The whole order, in one sentence. */
    String ranking(Ranking ranking, String where) {
        List<Entry> entries = ranking.entries();
        Metric metric = ranking.metric();
        StringBuilder sentence = new StringBuilder(where.isEmpty() ? "" : capital(where) + ", ");
        if (entries.isEmpty()) {
            sentence.append("nothing valid was measured");
        } else if (entries.size() == 1) {
            Entry only = entries.get(0);
            sentence.append(alone(metric)
                    .formatted(only.transport(), metric.text(only.figure().median())));
            sentence.append(", and there is nothing to compare it with");
        } else {
            List<Entry> leaders = ranking.leaders();
            sentence.append(leaders.size() == 1 ? lead(metric, entries.get(0)) : close(ranking, leaders));
            others(ranking).ifPresent(sentence::append);
        }
        sentence.append('.');
        if (!ranking.invalid().isEmpty()) {
            sentence.append(" %s %s not valid here and not ranked."
                    .formatted(Format.list(ranking.invalid()), ranking.invalid().size() == 1 ? "is" : "are"));
        }
        if (!ranking.missing().isEmpty() && !entries.isEmpty()) {
            sentence.append(" %s %s no figure here."
                    .formatted(Format.list(ranking.missing()), ranking.missing().size() == 1 ? "has" : "have"));
        }
        if (entries.size() > 1 && !ranking.judged()) {
            sentence.append(INDICATION);
        }
        return capital(sentence.toString());
    }

    private static String alone(Metric metric) {
        return switch (metric) {
            case CPU -> "a call over %s costs %s of CPU";
            case CALLS -> "%s makes %s";
            case REQUESTS -> "%s answers %s";
            case REQUEST_P99 -> "%s answers 99 %% of its requests within %s";
            case CALL_P99 -> "%s answers 99 %% of its calls within %s";
        };
    }

    private static String lead(Metric metric, Entry best) {
        String pattern = switch (metric) {
            case CPU -> "a call over %s costs least, %s of CPU";
            case CALLS -> "%s makes the most calls, %s";
            case REQUESTS -> "%s answers the most requests, %s";
            case REQUEST_P99 -> "%s answers 99 %% of its requests soonest, within %s";
            case CALL_P99 -> "%s answers 99 %% of its calls soonest, within %s";
        };
        return pattern.formatted(best.transport(), metric.text(best.figure().median()));
    }

    private static String close(Ranking ranking, List<Entry> leaders) {
        List<Entry> byName =
                leaders.stream().sorted(Comparator.comparing(Entry::transport)).toList();
        return "%s are too close to rank (%s%s)"
                .formatted(
                        Format.list(byName.stream().map(Entry::transport).toList()),
                        Format.list(byName.stream()
                                .map(entry ->
                                        ranking.metric().text(entry.figure().median()))
                                .toList()),
                        ranking.metric() == Metric.CPU ? " of CPU per call" : "");
    }

    /** Three at most: of more, the next and the last. */
    private static Optional<String> others(Ranking ranking) {
        List<Entry> others = ranking.others();
        if (others.isEmpty()) {
            return Optional.empty();
        }
        boolean many = others.size() > 3;
        List<Entry> named = many ? List.of(others.get(0), others.get(others.size() - 1)) : others;
        List<String> parts = new ArrayList<>();
        for (Entry other : named) {
            String place = !many ? "" : other == others.get(0) ? ", the next," : ", the last,";
            boolean first = other == named.get(0);
            String value = ranking.metric().text(other.figure().median());
            String pattern = switch (ranking.metric()) {
                case CPU -> first ? "%s%s costs %s times as much (%s)" : "%s%s %s times (%s)";
                case CALLS, REQUESTS -> "%3$s times as many as %1$s%2$s (%4$s)";
                case REQUEST_P99, CALL_P99 -> first ? "%s%s takes %s times as long (%s)" : "%s%s %s times (%s)";
            };
            parts.add(pattern.formatted(other.transport(), place, Format.times(ranking.times(other)), value)
                    .replace(", (", " ("));
        }
        boolean throughput = ranking.metric() == Metric.CALLS || ranking.metric() == Metric.REQUESTS;
        boolean tie = ranking.leaders().size() > 1;
        return Optional.of((throughput ? tie ? "; the best makes " : ", " : "; ") + Format.list(parts));
    }

    /** Whether the rounds of one chart allow a ranking. */
    String spread(Metric metric, List<Load> loads) {
        List<Load> several = loads.stream()
                .filter(load -> ranking(metric, load).entries().size() > 1)
                .toList();
        if (several.isEmpty()) {
            return "There is nothing to rank here.";
        }
        if (!several.stream().allMatch(load -> ranking(metric, load).judged())) {
            return "Fewer than three rounds: the spread is unknown, and nothing here is a ranking.";
        }
        String close = several.stream()
                .map(load -> closePairs(ranking(metric, load)))
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining("; "));
        return close.isEmpty()
                ? "The spread is small beside the differences: every order here stands."
                : "Too close to rank: " + close + ".";
    }

    private static String closePairs(Ranking ranking) {
        List<Entry> entries = ranking.entries();
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i + 1 < entries.size(); i++) {
            if (Noise.tooClose(entries.get(i).figure(), entries.get(i + 1).figure())) {
                pairs.add(entries.get(i).transport() + " and "
                        + entries.get(i + 1).transport());
            }
        }
        return pairs.isEmpty() ? "" : String.join(", ", pairs) + " " + where(ranking.load());
    }

    /** How far the rounds of all valid cells scatter. */
    Optional<String> scatter(Metric metric) {
        List<Cell> cells = results.cells().stream()
                .filter(cell -> cell.valid()
                        && cell.figure(metric).exists()
                        && cell.figure(metric).rounds().length > 1)
                .sorted(Comparator.comparingDouble(cell -> cell.figure(metric).spread()))
                .toList();
        if (cells.isEmpty()) {
            return Optional.empty();
        }
        Cell middle = cells.get(cells.size() / 2);
        Cell widest = cells.get(cells.size() - 1);
        return Optional.of("%s: the rounds of a cell lie %s apart (median of all cells), at most %s (%s, %s)."
                .formatted(
                        first(metric.title()),
                        Format.percent(middle.figure(metric).spread()),
                        Format.percent(widest.figure(metric).spread()),
                        widest.transport(),
                        widest.load().brief()));
    }

    /** Where lines cross, over calls or over users; {@code unit} is "call" or "user". */
    String crossovers(Metric metric, List<Load> loads, List<Integer> xs, String unit) {
        if (results.transports().size() < 2) {
            return "One transport alone crosses nothing.";
        }
        Crossovers found = Crossovers.of(results, metric, loads, xs);
        StringBuilder sentence = new StringBuilder();
        if (found.crossings().isEmpty()) {
            sentence.append((found.tangled()
                            ? "Lines meet between %s and %s, but none crosses another by more than the noise."
                            : "No lines cross between %s and %s.")
                    .formatted(Format.whole(xs.get(0)), Format.counted(xs.get(xs.size() - 1), unit)));
        } else {
            sentence.append(capital(found.crossings().stream()
                            .sorted(Comparator.comparingDouble(Crossing::near))
                            .map(crossing -> crossing(crossing, unit))
                            .collect(Collectors.joining("; "))))
                    .append('.');
        }
        if (!found.close().isEmpty()) {
            sentence.append(" At %s, too close to rank: %s."
                    .formatted(
                            Format.counted(xs.get(xs.size() - 1), unit),
                            Format.list(found.close().stream()
                                    .map(pair -> pair.one() + " with " + pair.other())
                                    .toList())));
        }
        if (!found.judged()) {
            sentence.append(INDICATION);
        }
        return sentence.toString();
    }

    private static String crossing(Crossing crossing, String unit) {
        return "%s overtakes %s between %s and %s (near %s)"
                .formatted(
                        crossing.overtaking(),
                        crossing.overtaken(),
                        Format.whole(crossing.from()),
                        Format.counted((long) crossing.to(), unit),
                        oneDigit(crossing.near()));
    }

    /** An interpolation over a decade has no second digit. */
    private static String oneDigit(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        return Format.whole(Math.max(1, Math.round(value / power) * power));
    }

    /** What the framework costs over the bare client library, by transport. */
    List<String> framework() {
        List<String> sentences = new ArrayList<>();
        for (RawLimit raw : results.rawLimits()) {
            best(raw.transport()).ifPresent(cell -> framework(raw, cell).ifPresent(sentences::add));
        }
        return sentences;
    }

    private static Optional<String> framework(RawLimit raw, Cell cell) {
        Figure rawCalls = raw.figure(Metric.CALLS);
        Figure calls = cell.figure(Metric.CALLS);
        if (!raw.valid() || !rawCalls.exists() || !calls.exists()) {
            return Optional.empty();
        }
        double share = calls.median() / rawCalls.median();
        Figure rawCpu = raw.figure(Metric.CPU);
        Figure cpu = cell.figure(Metric.CPU);
        String cost = rawCpu.exists() && cpu.exists()
                ? "; a call costs %s times the CPU (%s instead of %s)"
                        .formatted(
                                Format.times(cpu.median() / rawCpu.median()),
                                Format.micros(cpu.median()),
                                Format.micros(rawCpu.median()))
                : "";
        return Optional.of("Over %s the bare client makes %s calls/s, the service at best %s (%s), %s of it%s."
                .formatted(
                        raw.transport(),
                        Format.rate(rawCalls.median()),
                        Format.rate(calls.median()),
                        cell.load().brief(),
                        Format.percent(share),
                        cost));
    }

    /** The valid closed cell of a transport that makes the most calls. */
    Optional<Cell> best(String transport) {
        return results.cells().stream()
                .filter(cell -> cell.transport().equals(transport)
                        && cell.valid()
                        && cell.load().closed()
                        && cell.figure(Metric.CALLS).exists())
                .max(Comparator.comparingDouble(
                        cell -> cell.figure(Metric.CALLS).median()));
    }

    /** Empty unless the transports promise different things. */
    Optional<String> delivery() {
        Map<String, List<String>> byPromise = new LinkedHashMap<>();
        for (String transport : results.transports()) {
            String promise = Json.text(
                    results.json().at("/environment/settings/transports"), "/" + transport + "/settings/delivery");
            if (!promise.isEmpty()) {
                byPromise.computeIfAbsent(promise, p -> new ArrayList<>()).add(transport);
            }
        }
        if (byPromise.size() < 2) {
            return Optional.empty();
        }
        return Optional.of("The transports do not promise the same. "
                + byPromise.entrySet().stream()
                        .map(entry -> Format.list(entry.getValue()) + ": " + entry.getKey())
                        .collect(Collectors.joining("; "))
                + ". Who promises less has less to do.");
    }

    /** A transport's name stays as it is, also where a sentence begins with it. */
    private String capital(String sentence) {
        boolean name = results.transports().contains(sentence.split("\\W", 2)[0]);
        return sentence.isEmpty() || name
                ? sentence
                : Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
    }

    /** With a capital, for titles; "p99" stays what it is. */
    static String first(String title) {
        return title.matches("|.\\d.*") ? title : Character.toUpperCase(title.charAt(0)) + title.substring(1);
    }
}
