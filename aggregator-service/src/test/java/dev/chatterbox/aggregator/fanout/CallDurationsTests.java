package dev.chatterbox.aggregator.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CallDurationsTests {

    private final CallDurations durations = new CallDurations();

    /** From 1 ns to 19 hours: powers of two, their neighbours, and random values between them. */
    static LongStream nanos() {
        Random random = new Random(1);
        return LongStream.concat(
                LongStream.of(
                        1, Duration.ofMinutes(10).toNanos(), Duration.ofHours(5).toNanos()),
                IntStream.range(1, 45)
                        .mapToLong(power -> 1L << power)
                        .flatMap(power -> LongStream.of(
                                power, power + 1, power + Math.floorMod(random.nextLong(), power), 2 * power - 1)));
    }

    @ParameterizedTest
    @MethodSource("nanos")
    void aBucketEndsAtMostAHundredTwentyEighthAboveWhatItHolds(long nanos) {
        assertThat(boundOf(nanos) - nanos).isBetween(0L, nanos / 128);
    }

    @ParameterizedTest
    @MethodSource("nanos")
    void aBucketHoldsItsBoundAndTheNextOneWhatIsLonger(long nanos) {
        long bound = boundOf(nanos);
        assertThat(boundOf(bound)).isEqualTo(bound);
        assertThat(boundOf(bound + 1)).isGreaterThan(bound);
    }

    @Test
    void countsWhatIsLongerThanTheLongestAsThat() {
        durations.record(Long.MAX_VALUE);
        assertThat(durations.distribution("pigeon").buckets()).singleElement().satisfies(bucket -> {
            assertThat(bucket[0]).isBetween(CallDurations.LONGEST, CallDurations.LONGEST / 128 * 129);
            assertThat(bucket[1]).isEqualTo(1);
        });
    }

    private static long boundOf(long nanos) {
        CallDurations durations = new CallDurations();
        durations.record(nanos);
        CallDurations.Distribution distribution = durations.distribution("pigeon");
        assertThat(distribution.calls()).isEqualTo(1);
        assertThat(distribution.buckets())
                .singleElement()
                .satisfies(bucket -> assertThat(bucket[1]).isEqualTo(1));
        return distribution.buckets().get(0)[0];
    }

    @Test
    void countsWhatTookNoTimeAsTheShortest() {
        durations.record(0);
        assertThat(durations.distribution("pigeon").buckets()).containsExactly(new long[] {1, 1});
    }

    @Test
    void showsTheBucketsThatHoldSomethingInAscendingOrder() {
        assertThat(durations.distribution("pigeon").buckets()).isEmpty();
        LongStream.of(5_000_000, 300, 5_000_000, 70).forEach(durations::record);
        CallDurations.Distribution distribution = durations.distribution("pigeon");
        assertThat(distribution.transport()).isEqualTo("pigeon");
        assertThat(distribution.buckets()).hasSize(3).isSortedAccordingTo((a, b) -> Long.compare(a[0], b[0]));
        assertThat(distribution.buckets()).extracting(bucket -> bucket[1]).containsExactly(1L, 1L, 2L);
    }

    @Test
    void losesNoneThatIsRecordedOnSeveralThreads() {
        List<CompletableFuture<Void>> threads = IntStream.range(0, 4)
                .mapToObj(thread -> CompletableFuture.runAsync(
                        () -> LongStream.range(0, 100_000).forEach(durations::record)))
                .toList();
        threads.forEach(CompletableFuture::join);
        CallDurations.Distribution distribution = durations.distribution("pigeon");
        assertThat(distribution.calls()).isEqualTo(400_000);
    }
}
