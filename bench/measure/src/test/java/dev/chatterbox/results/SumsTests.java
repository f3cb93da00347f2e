package dev.chatterbox.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.workloads.Workload;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SumsTests {

    @Test
    void throughputIsAllRightRequestsOverTheWholeOfTheSlices() {
        assertThat(throughput("unary calls=1000 users=8", slice(1, 2), slice(2, 3)))
                .isEqualTo(200 / 5.0);
    }

    @Test
    void throughputOfAQueueIsOverTheTimeOfItsMessages() {
        assertThat(throughput("queue calls=1000 users=1", slice(1, 0.5), slice(2, 1.5)))
                .isEqualTo(200 / 2.0);
    }

    /** Two sides at the same time slow each other, so their slices have no length. */
    @Test
    void aSliceWithoutALengthHasNoThroughput() {
        assertThat(throughput("unary calls=1000 users=8", slice(1, 0))).isNaN();
    }

    private static double throughput(String workload, SliceFigures... slices) {
        Cell cell = new Cell(
                "rest",
                null,
                false,
                "direct",
                Workload.parse(workload),
                100,
                0,
                List.of(slices),
                Latency.NONE,
                Map.of(),
                null,
                List.of(),
                null);
        return Sums.throughput(cell).value();
    }

    private static SliceFigures slice(int block, double seconds) {
        return new SliceFigures(1, block, seconds, 100, 100_000, Map.of(), 0, 0, false, Map.of(), List.of());
    }
}
