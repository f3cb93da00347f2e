package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.chatterbox.workloads.SliceResult;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TallyTests {

    private static final long MS = 1_000_000;

    private final Tally tally = new Tally();

    @Test
    void countsByKindAndKeepsEveryLatency() {
        for (int i = 1; i <= 98; i++) {
            tally.add(Judgement.RIGHT, i * MS);
        }
        tally.add(Judgement.status(503), 99 * MS);
        tally.add(Judgement.wrong("square", "entry 1"), 100 * MS);

        SliceResult result = tally.result("slice", 1, 0);
        assertThat(result.right()).isEqualTo(98);
        assertThat(result.failures()).isEqualTo(Map.of("http-503", 1L, "wrong", 1L));
        assertThat(result.unansweredNanos()).isZero();
        RunFile.Percentiles latency = RunFile.Percentiles.of(result.latency());
        assertThat(latency.p50()).isCloseTo(0.050, withPercentage(0.1));
        assertThat(latency.p99()).isCloseTo(0.099, withPercentage(0.1));
        assertThat(latency.max()).isCloseTo(0.100, withPercentage(0.1));
        assertThat(latency.mean()).isCloseTo(0.0505, withPercentage(0.1));
    }

    @Test
    void knowsTheAgeOfTheYoungestRequestWithoutAnAnswer() {
        tally.add(Judgement.RIGHT, MS);
        tally.add(Judgement.TIMEOUT, 30_000 * MS);
        tally.add(Judgement.UNSENT, 700 * MS);
        tally.add(Judgement.CONNECT, 5_000 * MS);

        assertThat(tally.result("slice", 1, 0).unansweredNanos()).isEqualTo(700 * MS);
    }
}
