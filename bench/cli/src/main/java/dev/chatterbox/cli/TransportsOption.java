package dev.chatterbox.cli;

import dev.chatterbox.variants.Variants;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that chooses variants. */
final class TransportsOption {

    @Option(
            names = "--transports",
            paramLabel = "NAME",
            split = ",",
            description = "Variants by name; " + Variants.ALL + "; " + Variants.EACH + ": one of each transport; "
                    + Variants.CLAIMS + ": those with published settings (default: rest,nats,kafka, or the preset's).")
    List<String> names = List.of();
}
