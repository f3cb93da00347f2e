package dev.chatterbox.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One measured window of a cell.
 *
 * @param round from 1
 * @param reasons why it is not valid, in words
 * @param warnings what makes it less trustworthy, and still valid
 */
public record Round(
        int round, boolean valid, List<String> reasons, List<String> warnings, Window window, Figures figures) {

    public Round {
        window = window == null ? Window.NONE : window;
        figures = figures == null ? Figures.NONE : figures;
    }

    /**
     * What happened in the window.
     *
     * @param seconds its length, by the generator's clock
     * @param requests that ended in it and were right, by the generator
     * @param failed that ended in it and were not
     * @param failures the latter by kind
     * @param calls that ended well in it, by the aggregator
     * @param callOutcomes calls that ended in it, by outcome
     * @param unmatchedReplies replies for no call
     * @param warmUp what came before it
     * @param rate requests started per second; open model only
     * @param generatorBusy the part of the window, 0 to 1, that the busiest thread of the generator spent on a
     *     processor
     * @param otherLoad the part of all processors, 0 to 1, that went to other programs
     */
    public record Window(
            double seconds,
            long requests,
            long failed,
            Map<String, Long> failures,
            long calls,
            Map<String, Long> callOutcomes,
            long unmatchedReplies,
            WarmUp warmUp,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double rate,

            @Nullable Double generatorBusy,
            @Nullable Double otherLoad) {

        static final Window NONE =
                new Window(0, 0, 0, Map.of(), 0, Map.of(), 0, new WarmUp(0, false), null, null, null);
    }

    /** @param stable whether it ended because the throughput was stable, or had a fixed length */
    public record WarmUp(double seconds, boolean stable) {}

    public static Round of(int round, List<String> reasons, List<String> warnings, Window window, Figures figures) {
        return new Round(round, reasons.isEmpty(), List.copyOf(reasons), List.copyOf(warnings), window, figures);
    }

    /** The same with more reasons why it is not valid; itself where there are none. */
    public Round withReasons(List<String> more) {
        if (more.isEmpty()) {
            return this;
        }
        List<String> all = new ArrayList<>(reasons);
        all.addAll(more);
        return of(round, all, warnings, window, figures);
    }
}
