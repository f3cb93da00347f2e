package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows that share a responder, rows that have one of their own, and rows without one. */
class CallCountsTests {

    private final LastReadings last = new LastReadings();
    private final CallCounts counts = new CallCounts();

    @Test
    void giveTheSquaresOfASharedResponderToTheRowThatRan() {
        last.keep(reading("nats", 10, "shared", 500));
        last.keep(reading("nats-jnats", 20, "shared", 500));

        run(reading("nats", 110, "shared", 600));
        run(reading("nats-jnats", 70, "shared", 650));
        run(reading("nats", 140, "shared", 680));

        assertThat(counts.counts().aggregatorCalls()).isEqualTo(Map.of("nats", 130L, "nats-jnats", 50L));
        assertThat(counts.counts().responderSquares()).isEqualTo(Map.of("shared", 180L));
        assertThat(counts.counts().agree()).as("the generator counted nothing").isFalse();
        counts.add("nats", 13, 130);
        counts.add("nats-jnats", 5, 50);
        assertThat(counts.counts().agree()).isTrue();
        assertThat(counts.counts().generatorRequests()).isEqualTo(18);
    }

    @Test
    void holdARowWithoutAResponderAgainstTheGeneratorAlone() {
        last.keep(reading("memory", 0, null, 0));

        run(reading("memory", 7, null, 0));
        counts.add("memory", 7, 7);

        assertThat(counts.counts().responderSquares()).isEmpty();
        assertThat(counts.counts().agree()).isTrue();
        counts.add("memory", 1, 1);
        assertThat(counts.counts().agree()).isFalse();
    }

    @Test
    void missASquareOfEitherRow() {
        last.keep(reading("a", 0, "shared", 0));
        last.keep(reading("b", 0, "shared", 0));

        run(reading("a", 10, "shared", 9));
        run(reading("b", 10, "shared", 19));
        counts.add("a", 10, 10);
        counts.add("b", 10, 10);

        assertThat(counts.counts().agree()).isFalse();
    }

    @Test
    void doNotAgreeIfSomethingIsUnknown() {
        assertThat(counts.counts().agree()).isTrue();
        counts.incomplete();
        assertThat(counts.counts().agree()).isFalse();
    }

    @Test
    void haveNothingToCountFromAtFirst() {
        assertThat(last.since(reading("a", 1, "r", 1))).isNull();
        last.keep(reading("a", 1, null, 0));
        assertThat(last.since(reading("a", 1, "r", 1)))
                .as("the responder's is missing")
                .isNull();
    }

    private void run(Reading now) {
        Reading since = last.since(now);
        assertThat(since).isNotNull();
        counts.add(since);
        last.keep(now);
    }

    private static Reading reading(String row, double calls, @Nullable String responder, double squares) {
        return new Reading(
                new AggregatorReading(row, 5, new TreeMap<>(Map.of("ok", calls)), calls, null, 0, null),
                responder == null ? null : new ResponderReading(responder, squares, Map.of(), null));
    }
}
