package dev.chatterbox.cli;

import picocli.CommandLine.Option;

/** The option that names a stack by its port offset. */
final class PortOffset {

    @Option(
            names = "--port-offset",
            paramLabel = "N",
            description = "The stack whose ports are all moved by N (default: ${DEFAULT-VALUE}).")
    int value = 0;
}
