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
            description = "These rows; " + Rows.ALL + "; " + Rows.EACH + ": one of each transport; " + Rows.CLAIMS
                    + ": those with published settings (default: those of the group default).")
    List<String> names = List.of();
}
