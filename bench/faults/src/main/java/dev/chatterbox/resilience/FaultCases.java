package dev.chatterbox.resilience;

import dev.chatterbox.resilience.FaultCase.Trait;
import dev.chatterbox.transport.Kind;
import java.util.List;
import java.util.stream.Stream;

/** The cases that break one part of a variant. */
final class FaultCases {

    private static final int AWAY = 3;
    private static final int FROZEN = 10;

    static final List<FaultCase> ALL = Stream.of(
                    ofProcess(VariantProcess.RESPONDER), ofProcess(VariantProcess.BROKER), others())
            .flatMap(cases -> cases)
            .toList();

    private FaultCases() {}

    private static Stream<FaultCase> ofProcess(VariantProcess process) {
        String name = process.text();
        return Stream.of(
                        new FaultCase(name + "-killed", 12, variant -> {
                            variant.kill(process);
                            variant.pause(AWAY);
                            variant.startAgain(process);
                        }),
                        new FaultCase(name + "-frozen", FROZEN, variant -> {
                            variant.freeze(process);
                            variant.pause(FROZEN);
                            variant.resume(process);
                        }),
                        new FaultCase(name + "-restarted", 9, variant -> {
                            variant.terminate(process);
                            variant.startAgain(process);
                        }))
                .map(fault -> fault.on(process::serves));
    }

    /** Those of data, of links and of clients. */
    private static Stream<FaultCase> others() {
        return Stream.of(
                new FaultCase("broker-emptied", 12, variant -> {
                            variant.terminate(VariantProcess.BROKER);
                            variant.deleteData();
                            variant.startAgain(VariantProcess.BROKER);
                        })
                        .on(variant -> variant.variant().description().kind() == Kind.LOG
                                && VariantProcess.BROKER.serves(variant)),
                new FaultCase("broker-absent", 22, variant -> {
                            variant.kill(VariantProcess.BROKER);
                            variant.terminate(VariantProcess.AGGREGATOR);
                            variant.startAgain(VariantProcess.AGGREGATOR);
                            variant.pause(AWAY);
                            variant.startAgain(VariantProcess.BROKER);
                        })
                        .on(VariantProcess.BROKER::serves)
                        .with(Trait.EVERY_VARIANT, Trait.AGGREGATOR_AWAY),
                new FaultCase("link-cut", 5, variant -> variant.breakLinks(5, LinkFaults::cut)),
                new FaultCase("link-half-open", FROZEN, variant -> variant.breakLinks(FROZEN, LinkFaults::silence)),
                new FaultCase("link-delayed", 5, variant -> variant.breakLinks(5, links -> links.delay(300))),
                new FaultCase("slow-responder", 10, variant -> {
                            variant.delayResponder("1s");
                            variant.pause(8);
                            variant.delayResponder("0ms");
                        })
                        .on(VariantProcess.RESPONDER::serves),
                new FaultCase("overload", 60, variant -> variant.flood(1000, 1000)).with(Trait.EVERY_VARIANT),
                new FaultCase("aggregator-terminated", 12, variant -> {
                            variant.delayResponder("300ms");
                            variant.pause(1);
                            variant.terminate(VariantProcess.AGGREGATOR);
                            variant.delayResponder("0ms");
                            variant.startAgain(VariantProcess.AGGREGATOR);
                        })
                        .on(VariantProcess.RESPONDER::serves)
                        .with(Trait.EVERY_VARIANT, Trait.AGGREGATOR_AWAY));
    }
}
