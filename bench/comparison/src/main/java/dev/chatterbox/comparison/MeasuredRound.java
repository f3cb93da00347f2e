package dev.chatterbox.comparison;

import dev.chatterbox.results.Round;
import java.util.List;

/** A judged round with its samples, from which the percentiles of all rounds together are made. */
record MeasuredRound(Round round, LatencyBuckets requestLatency, LatencyBuckets callLatency) {

    /** The same with more reasons why it is not valid. */
    MeasuredRound withReasons(List<String> more) {
        return new MeasuredRound(round.withReasons(more), requestLatency, callLatency);
    }
}
