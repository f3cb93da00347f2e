package dev.chatterbox.comparison;

import dev.chatterbox.results.Results;
import java.nio.file.Path;
import java.util.List;

/**
 * Compares rows of a running system: the closed model, then the open one at rates that follow from it, then the bare clients.
 * Used once; {@link #interrupt} may be called from another thread.
 */
public final class Comparison {

    /**
     * @param rows names of those to compare
     * @param loadTests the folder of the module {@code load-tests}, built
     * @param checkout whose revision the results tell
     * @param folder takes the results; absolute
     * @param command how the user called it
     */
    public record Setup(
            Target target,
            Preset preset,
            List<String> rows,
            Path loadTests,
            Path checkout,
            Path folder,
            String command) {}

    public Comparison(Setup setup, Display display) {}

    /** How long it will take, in seconds, about. */
    public static double seconds(Preset preset, int rows) {
        return 0;
    }

    /**
     * Runs it and writes {@code results.json}, also that of a run that was interrupted or failed half-way.
     *
     * @return what was measured, which may be nothing: then nothing is written
     * @throws ComparisonException it failed; what was measured until then is written
     */
    public Results run() {
        throw new UnsupportedOperationException();
    }

    /** Lets {@link #run} return soon with what was measured until now. */
    public void interrupt() {}
}
