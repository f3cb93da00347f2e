package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class InjectorsTests {

    @Test
    void shareUsersAndRatesWithoutLosingAny() {
        assertThat(IntStream.range(0, 3).map(i -> users(share("unary calls=5 users=8", i, 3))))
                .containsExactly(3, 3, 2);
        assertThat(share("unary calls=5 rate=90", 1, 3).workload().load()).isEqualTo(new Load.Rate(30));
        assertThat(share("unary calls=5 users=8", 0, 1).workload().calls()).isEqualTo(5);
    }

    @Test
    void addUpWhatTheyCounted() throws Exception {
        SliceResult sum = Injectors.sum(
                List.of(result(2, 10, Map.of("timeout", 1L), 700, 1_000_000), result(3, 20, Map.of(), 0, 9_000_000)));

        assertThat(sum.right()).isEqualTo(30);
        assertThat(sum.seconds()).isEqualTo(3);
        assertThat(sum.failures()).isEqualTo(Map.of("timeout", 1L));
        assertThat(sum.unansweredNanos()).isEqualTo(700);
        Histogram latency = sum.latency();
        assertThat(latency.getTotalCount()).isEqualTo(2);
        assertThat(latency.getMaxValue()).isBetween(9_000_000L, 9_010_000L);
    }

    private static Slice share(String workload, int i, int n) {
        return Injectors.share(new Slice("a", "nats", Workload.parse(workload), 0, 20), i, n);
    }

    private static int users(Slice slice) {
        return ((Load.Users) slice.workload().load()).count();
    }

    private static SliceResult result(
            double seconds, long right, Map<String, Long> failures, long unanswered, long latency) {
        Histogram histogram = new Histogram(3);
        histogram.recordValue(latency);
        return new SliceResult("a", seconds, right, failures, unanswered, histogram, 0.5);
    }
}
