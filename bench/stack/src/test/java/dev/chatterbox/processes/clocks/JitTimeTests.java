package dev.chatterbox.processes.clocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JitTimeTests {

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
    void findsTheCompilerThreadsOfAJvm() {
        Map<Long, JitTime> times = JitTime.of(List.of(SELF));

        assertThat(JitTime.isKnown(times)).isTrue();
        assertThat(times)
                .hasEntrySatisfying(SELF, time -> assertThat(time.compilers()).isNotEmpty());
    }
}
