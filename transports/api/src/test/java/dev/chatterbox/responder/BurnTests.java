package dev.chatterbox.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BurnTests {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** The median of many, because the machine's other work costs this thread a moment now and then. */
    @ParameterizedTest
    @ValueSource(longs = {200, 2_000, 10_000})
    void spendsTheCpuTimeThatItIsAskedForWithinFivePercent(long micros) {
        Burn.micros(100_000);
        long[] nanos = LongStream.range(0, 99).map(i -> spent(micros)).sorted().toArray();
        assertThat(nanos[0]).isGreaterThanOrEqualTo(micros * 1_000);
        assertThat(nanos[49]).isCloseTo(micros * 1_000, withinPercentage(5));
    }

    private static long spent(long micros) {
        long before = THREADS.getCurrentThreadCpuTime();
        Burn.micros(micros);
        return THREADS.getCurrentThreadCpuTime() - before;
    }
}
