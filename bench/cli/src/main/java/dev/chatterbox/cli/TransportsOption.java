package dev.chatterbox.cli;

import dev.chatterbox.rows.Rows;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that chooses rows. */
final class TransportsOption {

    @Option(
            names = "--transports",
            paramLabel = "NAME",
            split = ",",
            description = "These rows; " + Rows.ALL + ", or " + Rows.EACH
                    + ": one of each transport (default: those of the group default).")
    List<String> names = List.of();
}
