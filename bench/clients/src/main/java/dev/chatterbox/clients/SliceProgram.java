package dev.chatterbox.clients;

import dev.chatterbox.workloads.SliceChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A program of this module: it lives for a whole measurement, and carries out the slices that the bench orders over the
 * {@link SliceChannel}, one at a time. Its arguments are {@code --NAME=VALUE}.
 */
abstract class SliceProgram implements SliceChannel.Worker {

    final String[] arguments;

    SliceProgram(String[] arguments) {
        this.arguments = arguments;
    }

    /** Gets ready for slices. */
    abstract void open() throws Exception;

    /** Leaves everything as it was. */
    void close() {}

    /** Runs until the bench closes the channel, and ends the JVM: with status 1 if nothing could be run. */
    final void run() {
        int status = 0;
        try {
            open();
            String variable = System.getenv().getOrDefault(SliceChannel.VARIABLE, "");
            try (SliceChannel bench = SliceChannel.connect(variable, Duration.ZERO)) {
                bench.serve(this);
            }
        } catch (Exception e) {
            System.err.println("The program cannot run: " + e);
            status = 1;
        }
        close();
        System.exit(status);
    }

    /** The value of an argument; empty if it was not given. */
    final Optional<String> argument(String name) {
        String prefix = "--" + name + "=";
        return Stream.of(arguments)
                .filter(argument -> argument.startsWith(prefix))
                .map(argument -> argument.substring(prefix.length()))
                .findFirst();
    }
}
