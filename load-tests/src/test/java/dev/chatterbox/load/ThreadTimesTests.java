package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ThreadTimesTests {

    /** One thread never waits, like an event loop that serves all users. */
    @Test
    void findsTheThreadThatIsTheLimit() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        Thread spinning = new Thread(() -> {
            while (!stop.get()) {
                Thread.onSpinWait();
            }
        });
        ThreadTimes before = ThreadTimes.now();
        spinning.start();
        spinning.join(300);
        long used = ManagementFactory.getThreadMXBean().getThreadCpuTime(spinning.getId());
        ThreadTimes after = ThreadTimes.now();
        stop.set(true);
        spinning.join();

        double elapsed = after.nanoTime() - before.nanoTime();
        assertThat(after.busiestSince(before))
                .isGreaterThanOrEqualTo(used / elapsed)
                .isLessThanOrEqualTo(1);
    }

    @Test
    void tellsThePartOfTheTime() {
        ThreadTimes before = new ThreadTimes(0, Map.of(1L, 100L, 2L, 500L));
        ThreadTimes after = new ThreadTimes(1000, Map.of(1L, 1000L, 2L, 600L, 3L, 200L));

        assertThat(after.busiestSince(before)).isEqualTo(0.9);
        assertThat(before.busiestSince(before)).isZero();
    }
}
