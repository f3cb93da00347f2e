package dev.chatterbox.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One traced request over a row, as the aggregator tells it: docs/api.md explains each figure. Times are microseconds
 * since the request came.
 */
public record TracedRequest(String row, int n, double micros, Map<String, Double> clockOffsets, List<Bar> bars) {

    /** A call; the last three are null where its reply does not say when its responder worked. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Bar(
            int number,
            double sent,
            double ended,
            @Nullable String responder,
            @Nullable Double begun,
            @Nullable Double answered) {}
}
