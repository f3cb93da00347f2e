package dev.chatterbox.resilience;

import dev.chatterbox.resilience.FaultCase.Trait;
import dev.chatterbox.transport.Kind;
import java.util.List;
import java.util.stream.Stream;

/** The cases that break one part of a row. */
final class FaultCases {

    private static final int AWAY = 3;
    private static final int FROZEN = 10;

    static final List<FaultCase> ALL = Stream.of(
                    ofProcess(RowProcess.RESPONDER), ofProcess(RowProcess.BROKER), ofData(), ofLinks(), ofClients())
            .flatMap(cases -> cases)
            .toList();

    private FaultCases() {}

    private static Stream<FaultCase> ofProcess(RowProcess process) {
        String name = process.text();
        return Stream.of(
                        new FaultCase(name + "-killed", 12, row -> {
                            row.kill(process);
                            row.pause(AWAY);
                            row.startAgain(process);
                        }),
                        new FaultCase(name + "-frozen", FROZEN, row -> {
                            row.freeze(process);
                            row.pause(FROZEN);
                            row.resume(process);
                        }),
                        new FaultCase(name + "-restarted", 9, row -> {
                            row.terminate(process);
                            row.startAgain(process);
                        }))
                .map(fault -> fault.on(process::serves));
    }

    private static Stream<FaultCase> ofData() {
        return Stream.of(
                new FaultCase("broker-emptied", 12, row -> {
                            row.terminate(RowProcess.BROKER);
                            row.deleteData();
                            row.startAgain(RowProcess.BROKER);
                        })
                        .on(row -> row.row().kind() == Kind.LOG && RowProcess.BROKER.serves(row)),
                new FaultCase("broker-absent", 22, row -> {
                            row.kill(RowProcess.BROKER);
                            row.terminate(RowProcess.AGGREGATOR);
                            row.startAgain(RowProcess.AGGREGATOR);
                            row.pause(AWAY);
                            row.startAgain(RowProcess.BROKER);
                        })
                        .on(RowProcess.BROKER::serves)
                        .with(Trait.EVERY_ROW, Trait.AGGREGATOR_AWAY));
    }

    private static Stream<FaultCase> ofLinks() {
        return Stream.of(
                new FaultCase("link-cut", 5, row -> row.breakLinks(5, LinkFaults::cut)),
                new FaultCase("link-half-open", FROZEN, row -> row.breakLinks(FROZEN, LinkFaults::silence)),
                new FaultCase("link-delayed", 5, row -> row.breakLinks(5, links -> links.delay(300))));
    }

    private static Stream<FaultCase> ofClients() {
        return Stream.of(
                new FaultCase("slow-responder", 10, row -> {
                            row.delayResponder("1s");
                            row.pause(8);
                            row.delayResponder("0ms");
                        })
                        .on(RowProcess.RESPONDER::serves),
                new FaultCase("slow-readers", 25, row -> row.readSlowly(40, 10_000, 10)),
                new FaultCase("disconnects", 20, row -> row.disconnect(10_000, 100)),
                new FaultCase("overload", 60, row -> row.flood(1000, 1000)).with(Trait.EVERY_ROW),
                new FaultCase("aggregator-terminated", 12, row -> {
                            row.delayResponder("300ms");
                            row.pause(1);
                            row.terminate(RowProcess.AGGREGATOR);
                            row.delayResponder("0ms");
                            row.startAgain(RowProcess.AGGREGATOR);
                        })
                        .on(RowProcess.RESPONDER::serves)
                        .with(Trait.EVERY_ROW, Trait.AGGREGATOR_AWAY));
    }
}
