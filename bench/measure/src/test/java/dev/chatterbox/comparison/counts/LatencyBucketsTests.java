package dev.chatterbox.comparison.counts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.results.Latency;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class LatencyBucketsTests {

    private static final long NO_LONGER = 60_000_000;

    @Test
    void givesAPercentileOnlyWhereEnoughSamplesLieBeyondIt() {
        LatencyBuckets hundred = buckets("[[10000000,50],[20000000,40],[50000000,10]]");

        assertThat(hundred.latency(10)).isEqualTo(new Latency(0.01, 0.02, null, null, null, 0.05, null));
        assertThat(hundred.latency(1)).isEqualTo(new Latency(0.01, 0.02, 0.05, 0.05, null, 0.05, null));
        assertThat(buckets("[[10000000,49],[50000000,50]]").latency(10).p90())
                .as("nine and a half lie beyond")
                .isNull();
        assertThat(buckets("[[10000000,9990],[50000000,10]]").latency(10).p999())
                .as("of 10,000, ten lie beyond")
                .isEqualTo(0.01);
    }

    @Test
    void addUpOverSlicesAndNotTheirPercentiles() {
        LatencyBuckets fast = buckets("[[10000000,900]]");
        LatencyBuckets slow = buckets("[[10000000,50],[40000000,50]]");

        assertThat(fast.with(slow).count()).isEqualTo(1000);
        assertThat(fast.with(slow).latency(10).p95()).isEqualTo(0.01);
        assertThat(fast.with(slow).latency(10).p99()).isEqualTo(0.04);
        assertThat(LatencyBuckets.NONE.with(fast)).isEqualTo(fast);
        assertThat(fast.with(LatencyBuckets.NONE)).isEqualTo(fast);
    }

    @Test
    void tellWhatWasAddedBetweenTwoReadings() {
        LatencyBuckets earlier = buckets("[[10000000,5],[20000000,7]]");
        LatencyBuckets later = buckets("[[10000000,5],[20000000,9],[70000000,1]]");

        LatencyBuckets slice = later.since(earlier);

        assertThat(slice.counts()).containsOnlyKeys(20_000_000L, 70_000_000L);
        assertThat(slice.count()).isEqualTo(3);
        assertThat(slice.latency(1).max()).as("nothing was longer than 60 ms").isEqualTo(0.06);
    }

    @Test
    void knowNothingOfASliceWithoutSamples() {
        assertThat(buckets("[]").latency(1)).isEqualTo(Latency.NONE);
        assertThat(LatencyBuckets.NONE.latency(1)).isEqualTo(Latency.NONE);
    }

    private static LatencyBuckets buckets(String pairs) {
        return LatencyBuckets.of(JsonMapper.shared().readTree(pairs), NO_LONGER);
    }
}
