package dev.chatterbox.comparison.remote;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Where the counters of a running system can be read, some time back. */
public interface CounterSource extends AutoCloseable {

    /**
     * The samples of a counter, a series for each process that has it.
     *
     * @param labels which the series must have; a value is a regular expression
     * @param from seconds since 1970, as {@code to}; both belong to the interval
     * @return the series that have a sample in the interval
     */
    List<Series> samples(String counter, Map<String, String> labels, double from, double to) throws IOException;

    /** How many seconds the clock of the samples is ahead of this machine's. */
    default double ahead() throws IOException {
        return 0;
    }

    /** Its name for people, in the middle of a sentence. */
    String name();

    @Override
    default void close() {}
}
