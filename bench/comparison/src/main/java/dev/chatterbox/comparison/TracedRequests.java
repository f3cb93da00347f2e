package dev.chatterbox.comparison;

import dev.chatterbox.comparison.testbed.Target;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.results.TracedRequest;
import dev.chatterbox.transport.Exchange;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Asks an aggregator for a waterfall of each row, after all is measured: a traced call is counted as any other. */
final class TracedRequests {

    private static final int CALLS = 100;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private TracedRequests() {}

    /** Those of the rows that answer; a picture that is missing is no doubt about what was measured. */
    static List<TracedRequest> of(Target target, List<String> rows, BooleanSupplier interrupted) {
        List<TracedRequest> waterfalls = new ArrayList<>();
        for (String row : rows) {
            if (!interrupted.getAsBoolean() && target.row(row).row().exchanges().contains(Exchange.UNARY)) {
                waterfall(target.aggregator().first().port(), row).ifPresent(waterfalls::add);
            }
        }
        return waterfalls;
    }

    private static Optional<TracedRequest> waterfall(int port, String row) {
        try {
            LocalHttp.Answer answer =
                    LocalHttp.get(port, "/%s/square/unary/%d?trace=true".formatted(row, CALLS), PATIENCE);
            return answer.status() == 200
                    ? Optional.of(JSON.readValue(answer.body(), TracedRequest.class))
                    : Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }
}
