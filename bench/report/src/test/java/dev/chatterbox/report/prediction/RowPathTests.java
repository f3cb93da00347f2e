package dev.chatterbox.report.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Environment.RowSettings;
import dev.chatterbox.workloads.Workload;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowPathTests {

    /** The bounds as the aggregator reports them for REST, whose client has 128 connections. */
    private static final Map<String, Object> BOUNDS = Map.of(
            "bounds.per-request", 1024,
            "bounds.in-flight", 128,
            "bounds.inputs-per-request", 10_000,
            "bounds.inputs-in-flight", 100_000,
            "bounds.bytes-per-request", 16_777_216,
            "bounds.bytes-in-flight", 33_554_432);

    private static RowPath path(@Nullable String responder, @Nullable String broker, Map<String, Object> bounds) {
        RowSettings row = new RowSettings("row", "direct", "up", "", List.of(), responder, broker, bounds);
        Map<String, Object> fanOut = Map.of("maxInFlight", 2048, "callTimeout", "PT2S");
        return RowPath.of(new Environment.Settings(fanOut, Map.of("row", row)), "row");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unary calls=128 users=1               | 1  | as many as there are connections",
                "unary calls=1000 users=1              | 8  | by the connections",
                "unary calls=1000 users=10             | 79 | those of all users",
                "unary calls=1000 rate=10              | 8  | of the open model a request alone",
                "batch calls=10000 size=100 users=1    | 1  | 100 messages",
                "batch calls=10000 size=1000 users=100 | 10 | by the inputs in flight, 100 messages",
                "stream calls=1000 users=1             | 1  | an open stream bounds nothing that is in it",
                "stream calls=2000 users=1             | 2  | by the messages of a request",
                "stream calls=1000 users=10            | 5  | by those of all streams",
                "unary calls=128 users=1 payload=131072 | 1 | 16 MiB of one request",
                "batch calls=1000 size=10 users=1 payload=131072 | 9 | 12 messages of 1.25 MiB are 16 MiB",
                "batch calls=10 size=100 users=1 payload=131072 | 1 | a message is no larger than the request",
            })
    void countsTheTurnsThatARequestsMessagesTake(String workload, long turns, String why) {
        assertThat(path("responder", null, BOUNDS).turns(Workload.parse(workload)))
                .as(why)
                .isEqualTo(turns);
    }

    @Test
    void knowsNoBoundThatIsNotTold() {
        assertThat(path("responder", null, Map.of()).turns(Workload.parse("unary calls=10000 users=100 payload=1")))
                .isEqualTo(1);
    }

    @Test
    void countsTheLinksThatACallWaitsFor() {
        assertThat(path("responder", null, BOUNDS).links()).isEqualTo(1);
        assertThat(path("responder", "broker", BOUNDS).links()).isEqualTo(2);
        assertThat(path(null, null, BOUNDS).links()).as("within the aggregator").isZero();
    }

    @Test
    void knowsTheDeadline() {
        assertThat(path("responder", null, BOUNDS).deadlineSeconds()).isEqualTo(2);
        assertThat(RowPath.of(Environment.NONE.settings(), "row").deadlineSeconds())
                .as("where it is not told")
                .isEqualTo(5);
    }
}
