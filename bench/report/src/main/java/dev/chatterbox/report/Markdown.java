package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.RoundTrip;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The results as tables to paste. */
final class Markdown {

    private final MeasuredRun run;
    private final StringBuilder text = new StringBuilder();

    private Markdown(MeasuredRun run) {
        this.run = run;
    }

    static String of(MeasuredRun run) {
        Markdown markdown = new Markdown(run);
        markdown.write();
        return markdown.text.toString();
    }

    private void write() {
        text.append("# ").append(run.name());
        text.append(run.started().isEmpty() ? "" : ", " + run.started()).append("\n\n");
        if (run.results().interrupted()) {
            text.append("**Interrupted: this is what was measured until then.**\n\n");
        }
        text.append(
                "CPU in microseconds per call, user and system time of each process; system: aggregator, responder and broker"
                        + " together, which is what is ranked; medians over the rounds that are valid; spread: (max − min) /"
                        + " median of the system's. p50 and p99 of requests, over all rounds' samples.\n\n");
        cells();
        roundTrips();
        rawLimits();
        List<String> remarks = Remarks.of(run.results());
        if (!remarks.isEmpty()) {
            text.append('\n');
            remarks.forEach(remark -> text.append("- ").append(remark).append('\n'));
        }
    }

    private void cells() {
        if (run.results().cells().isEmpty()) {
            return;
        }
        List<String> beside = beside();
        List<String> numbers = new ArrayList<>(List.of("system"));
        numbers.addAll(Role.SYSTEM);
        numbers.add("spread");
        numbers.addAll(beside);
        numbers.addAll(List.of("calls/s", "requests/s", "p50", "p99"));
        header(List.of("row", "workload"), numbers);
        for (Cell cell : run.results().cells()) {
            Map<String, @Nullable Double> cpu = cell.median().cpu();
            List<String> fields = new ArrayList<>(List.of(
                    cell.row(),
                    Axis.brief(cell.workload()),
                    Numbers.digits(Metric.CPU.of(cell).median())));
            Role.SYSTEM.forEach(role -> fields.add(digits(cpu.get(role))));
            fields.add(Numbers.percent(Metric.CPU.of(cell).spread()));
            beside.forEach(role -> fields.add(digits(cpu.get(role))));
            fields.add(Numbers.rate(Metric.CALLS.of(cell).median()));
            fields.add(Numbers.rate(Metric.REQUESTS.of(cell).median()));
            fields.add(seconds(cell.median().requestLatency().p50()));
            fields.add(seconds(cell.median().requestLatency().p99()));
            fields.add(valid(cell.valid(), Reasons.of(cell)));
            line(fields);
        }
    }

    /** What is in no sum. */
    private List<String> beside() {
        return run.results().roundTrips().isEmpty() ? List.of(Role.GENERATOR) : List.of(Role.GENERATOR, Role.NETWORK);
    }

    private void roundTrips() {
        if (run.results().roundTrips().isEmpty()) {
            return;
        }
        text.append("\n").append(RoundTripTable.TITLE).append(", medians:\n\n");
        titles(List.of("to"), RoundTripTable.NUMBERS, List.of());
        for (RoundTrip trip : run.results().roundTrips()) {
            line(Stream.concat(Stream.of(trip.link()), RoundTripTable.numbers(trip).stream())
                    .toList());
        }
    }

    private void rawLimits() {
        if (run.results().rawLimits().isEmpty()) {
            return;
        }
        text.append("\nThe raw limit: the bare client library, pipelined, without what the system does beside: "
                + ChartSections.BESIDE + ".\n\n");
        header(
                List.of("row"),
                List.of("calls/s", "best of the system", "ratio", Role.CLIENT, Role.RESPONDER, Role.BROKER, "sum"));
        for (RawLimit limit : run.results().rawLimits()) {
            Map<String, @Nullable Double> cpu = limit.median().cpu();
            SystemLimit system = SystemLimit.of(limit, run.results());
            line(List.of(
                    limit.row(),
                    Numbers.rate(Metric.CALLS.of(limit).median()),
                    Numbers.rate(system.best()),
                    Numbers.ratio(system.ratio()),
                    digits(cpu.get(Role.CLIENT)),
                    digits(cpu.get(Role.RESPONDER)),
                    digits(cpu.get(Role.BROKER)),
                    Numbers.digits(Metric.CPU.of(limit).median()),
                    valid(limit.valid(), Reasons.of(limit))));
        }
    }

    private static String valid(boolean valid, List<String> reasons) {
        return valid ? "yes" : "**no**: " + String.join("; ", reasons);
    }

    /** Words stand left, numbers right; whether it is valid comes last. */
    private void header(List<String> words, List<String> numbers) {
        titles(words, numbers, List.of("valid"));
    }

    private void titles(List<String> words, List<String> numbers, List<String> last) {
        line(Stream.of(words, numbers, last).flatMap(List::stream).toList());
        line(Stream.of(
                        words.stream().map(word -> ":--"),
                        numbers.stream().map(number -> "--:"),
                        last.stream().map(word -> ":--"))
                .flatMap(Function.identity())
                .toList());
    }

    /** A bar in a reason would end its field. */
    private void line(List<String> fields) {
        text.append("| ")
                .append(String.join(
                        " | ",
                        fields.stream()
                                .map(field -> field.replace("|", "\\|").replaceAll("\\R", " "))
                                .toList()))
                .append(" |\n");
    }

    private static String seconds(@Nullable Double seconds) {
        return Numbers.seconds(Numbers.orNaN(seconds));
    }

    private static String digits(@Nullable Double value) {
        return Numbers.digits(Numbers.orNaN(value));
    }
}
