package dev.chatterbox.report;

import static dev.chatterbox.report.SampleResults.KAFKA;
import static dev.chatterbox.report.SampleResults.NATS;
import static dev.chatterbox.report.SampleResults.REST;

import dev.chatterbox.report.SampleResults.SampleRow;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Latency;
import dev.chatterbox.results.Round;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every kind of run that a page must stand, by name. All of it is made-up test data. */
final class Samples {

    private Samples() {}

    static Map<String, SampleResults> all() {
        Map<String, SampleResults> samples = new LinkedHashMap<>();
        samples.put("quick", SampleResults.quick(1));
        samples.put("full", SampleResults.full(2));
        samples.put("one-cell", SampleResults.of("one-cell", 3, NATS).closed(List.of(100), List.of(10)));
        samples.put(
                "one-row",
                SampleResults.of("one-row", 4, KAFKA)
                        .closed(List.of(1, 100, 1000), List.of(100))
                        .rawLimits());
        samples.put("seven", seven());
        samples.put(
                "one-round",
                SampleResults.of("one-round", 6, REST, NATS, KAFKA).rounds(1).closed(List.of(1, 1000), List.of(100)));
        samples.put(
                "noisy",
                SampleResults.of("noisy", 7, REST, NATS, KAFKA)
                        .noise(0.15)
                        .closed(List.of(1, 10, 100, 1000), List.of(100)));
        samples.put(
                "open-only",
                SampleResults.of("open-only", 8, REST, NATS).open(List.of(10, 100), List.of(0.5, 0.7, 0.9)));
        samples.put(
                "invalid",
                SampleResults.quick(9)
                        .invalid("kafka", 1000, "12 requests of 1,200 failed: 504 Gateway Timeout")
                        .invalid("rest", 1, "3 replies did not belong to their request"));
        samples.put("all-invalid", allInvalid());
        samples.put("interrupted", SampleResults.quick(11).interrupted().cells(cells -> cells.subList(0, 5)));
        samples.put("nothing", SampleResults.of("nothing", 12, REST, NATS).interrupted());
        samples.put("gaps", gaps());
        samples.put(
                "further-dimensions",
                SampleResults.of("further-dimensions", 14, NATS.named("nats-jnats-flush-long"), NATS, REST)
                        .workloads("unary calls=1,100 users=10,100 payload=0,1024,16384; unary calls=100 users=100"
                                + " distance=1ms,10ms; unary calls=100 rate=70% payload=1024")
                        .rawLimits()
                        .counts());
        samples.put(
                "cure",
                SampleResults.of("cure", 15, REST, NATS, KAFKA)
                        .workloads("unary calls=1000 users=100; batch calls=1000 size=1,10,100,1000 users=100;"
                                + " stream calls=1000 users=100")
                        .counts());
        samples.put(
                "model",
                SampleResults.of("model", 16, REST, NATS, KAFKA)
                        .setting("rest", "bounds.per-request", 1024)
                        .setting("rest", "bounds.in-flight", 128)
                        .workloads(
                                "unary calls=1,10,100,1000 rate=20%,45%,70%; unary calls=100 rate=20%,45%,70% payload=1024;"
                                        + " batch calls=1000 size=10,100 rate=20%,45%,70%; stream calls=10,100,1000 rate=20%,45%,70%")
                        .counts());
        samples.put(
                "distance",
                SampleResults.of("distance", 16, REST, NATS)
                        .noise(0)
                        .setting("rest", "bounds.per-request", 1024)
                        .setting("rest", "bounds.in-flight", 128)
                        .setting("nats", "bounds.per-request", 1024)
                        .workloads("unary calls=1,1000 users=1 distance=0,1,10")
                        .roundTrips(0, 1, 10)
                        .counts());
        return samples;
    }

    private static SampleResults seven() {
        List<SampleRow> seven = new ArrayList<>(List.of(REST, NATS, KAFKA));
        for (int i = 1; i <= 4; i++) {
            seven.add(new SampleRow(
                    "made-up-" + i, "broker", "at most once", 8 + 5 * i, 3 + i, 4, 30 * i, 0.0006 * i, 200_000.0 / i));
        }
        return SampleResults.of("seven", 5, seven.toArray(new SampleRow[0]))
                .closed(List.of(1, 10, 100, 1000), List.of(1, 100))
                .rawLimits();
    }

    private static SampleResults allInvalid() {
        SampleResults results = SampleResults.of("all-invalid", 10, REST, NATS).closed(List.of(10), List.of(100));
        return results.invalid("rest", 10, "a wrong square").invalid("nats", 10, "7 calls timed out");
    }

    /** A row whose processes could not be measured, and one whose broker was not there in half of the cells. */
    private static SampleResults gaps() {
        return SampleResults.of("gaps", 13, REST, NATS, KAFKA)
                .closed(List.of(1, 100), List.of(10, 100))
                .cells(cells -> cells.stream()
                        .filter(cell ->
                                !cell.row().equals("kafka") || cell.workload().calls() != 100)
                        .toList())
                .rounds("rest", Samples::withoutProcesses)
                .fault("nats", "delay", "PT0.01S");
    }

    private static Round withoutProcesses(Round round) {
        Figures all = round.figures();
        Figures figures = new Figures(
                all.requestsPerSecond(),
                all.callsPerSecond(),
                all.requestLatency(),
                Latency.NONE,
                Map.of(),
                null,
                all.allocatedBytesPerCall(),
                all.memory());
        return Round.of(round.round(), round.reasons(), round.warnings(), round.window(), figures);
    }
}
