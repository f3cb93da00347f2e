package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class FirstWarmUpTests {

    private static final long SELF = ProcessHandle.current().pid();

    @Test
    void addsTheJitsOfAllProcesses() {
        Map<Long, JitTime> before =
                Map.of(1L, new JitTime(100, Map.of("11", 30L, "12", 20L)), 2L, new JitTime(1000, Map.of()));
        Map<Long, JitTime> after =
                Map.of(1L, new JitTime(200, Map.of("11", 50L, "13", 10L)), 2L, new JitTime(1100, Map.of()));

        assertThat(JitTime.share(before, after)).as("12 has ended, 13 is new").isEqualTo(30.0 / 200, within(1e-9));
        assertThat(JitTime.share(before, before)).as("nothing was done").isEqualTo(1);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void findsTheCompilerThreadsOfAJvm() {
        Map<Long, JitTime> times = JitTime.of(List.of(SELF));

        assertThat(JitTime.isKnown(times)).isTrue();
        assertThat(times)
                .hasEntrySatisfying(SELF, time -> assertThat(time.compilers()).isNotEmpty());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void lastsAsLongAsTheLeastAndNoLongerThanTheMost() {
        FirstWarmUp warmUp = new FirstWarmUp(new WarmUpBounds(0.2, 1));
        warmUp.begin("a", List.of(SELF), 1);
        assertThat(warmUp.isOver()).isFalse();

        Awaitility.await().atMost(Duration.ofSeconds(2)).until(warmUp::isOver);

        // What the first cell has had is not there for the second, but for the least.
        warmUp.begin("a", List.of(SELF), 0);
        Awaitility.await().atMost(Duration.ofSeconds(2)).until(warmUp::isOver);
    }

    @Test
    void expectsHalfTheRowsToNeedAllTheTimeThereIs() {
        assertThat(FirstWarmUp.likelySeconds(new WarmUpBounds(2, 40), 3)).isEqualTo((6 + 40) / 2.0);
        assertThat(FirstWarmUp.likelySeconds(new WarmUpBounds(2, 40), 30)).isEqualTo(60);
    }
}
