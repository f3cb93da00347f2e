package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TallyTests {

    private static final long MS = 1_000_000;

    @Test
    void countsByKindAndKeepsEveryLatency() {
        Tally tally = new Tally();
        for (int i = 1; i <= 98; i++) {
            tally.add(Judgement.RIGHT, i * MS);
        }
        tally.add(Judgement.status(503), 99 * MS);
        tally.add(Judgement.wrong("square", "entry 1"), 100 * MS);

        assertThat(tally.requests()).isEqualTo(98);
        assertThat(tally.failed()).isEqualTo(2);
        assertThat(tally.failures()).isEqualTo(Map.of("http-503", 1L, "wrong", 1L));
        assertThat(tally.latency().p50()).isCloseTo(0.050, withPercentage(0.1));
        assertThat(tally.latency().p99()).isCloseTo(0.099, withPercentage(0.1));
        assertThat(tally.latency().max()).isCloseTo(0.100, withPercentage(0.1));
        assertThat(tally.latency().mean()).isCloseTo(0.0505, withPercentage(0.1));

        assertThat(tally.buckets())
                .hasSize(100)
                .allSatisfy(bucket -> assertThat(bucket.get(1)).isEqualTo(1));
        assertThat(tally.buckets().get(49).get(0) / 1e9)
                .isEqualTo(tally.latency().p50());
    }

    @Test
    void addsCountsUp() {
        Tally warmUp = new Tally();
        warmUp.add(Judgement.TIMEOUT, MS);
        Tally total = new Tally();
        total.add(Judgement.RIGHT, MS);

        total.addCounts(warmUp);
        total.addCounts(warmUp);

        assertThat(total.requests()).isEqualTo(1);
        assertThat(total.failed()).isEqualTo(2);
        assertThat(total.failures()).isEqualTo(Map.of("timeout", 2L));
    }
}
