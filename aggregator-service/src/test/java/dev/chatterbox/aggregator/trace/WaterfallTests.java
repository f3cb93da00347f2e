package dev.chatterbox.aggregator.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.aggregator.trace.Waterfall.Bar;
import dev.chatterbox.aggregator.trace.Waterfall.Call;
import dev.chatterbox.traces.ResponderWork;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WaterfallTests {

    private static final long BEGUN = 1_700_000_000_000_000_000L;

    @Test
    void leavesAClockThatIsRight() {
        Waterfall waterfall = waterfall(call(1, 1_000, 9_000, 3_000, 4_000));

        assertThat(waterfall.clockOffsets()).containsOnlyKeys("one").containsEntry("one", 0.0);
        assertThat(waterfall.bars()).containsExactly(new Bar(1, 1, 9, "one", 3.0, 4.0));
    }

    /** The first call leaves 5,001 to 5,004 µs, the second 5,000 to 5,002: so it is 5,001 to 5,002. */
    @Test
    void movesAClockThatIsWrongToTheMiddleOfWhatIsPossible() {
        long late = 5_000_000;

        Waterfall waterfall = waterfall(
                call(1, 1_000, 5_000, 1_000 - late - 1_000, 2_000 - late - 1_000),
                call(2, 2_000, 6_000, 3_000 - late - 1_000, 5_000 - late - 1_000));

        assertThat(waterfall.clockOffsets().get("one")).isEqualTo(5_001.5);
        assertThat(waterfall.bars()).allSatisfy(bar -> {
            assertThat(bar.begun()).isBetween(bar.sent(), bar.ended());
            assertThat(bar.answered()).isBetween(bar.begun(), bar.ended());
        });
    }

    /** A clock that was set between two calls fits neither: what is drawn still lies within its call. */
    @Test
    void drawsNoWorkOutsideOfItsCall() {
        Waterfall waterfall = waterfall(call(1, 0, 1_000, 50_000, 50_100), call(2, 0, 1_000, -50_000, -49_900));

        assertThat(waterfall.bars())
                .allSatisfy(bar -> assertThat(List.of(bar.begun(), bar.answered()))
                        .allSatisfy(time -> assertThat(time).isBetween(0.0, 1.0)));
    }

    @Test
    void saysNothingOfWorkThatIsNotKnown() {
        Waterfall waterfall = waterfall(new Call(1, 0, 1_000, null));

        assertThat(waterfall.clockOffsets()).isEmpty();
        assertThat(waterfall.bars()).containsExactly(new Bar(1, 0, 1, null, null, null));
    }

    @Test
    void keepsTheFastestAndTheSlowestOfMany() {
        Waterfall waterfall = waterfall(IntStream.rangeClosed(1, 1_000)
                .mapToObj(number -> new Call(number, 0, 1_000L * (1 + number * 7 % 1_000), null))
                .toArray(Call[]::new));

        assertThat(waterfall.n()).isEqualTo(1_000);
        assertThat(waterfall.bars()).hasSize(Waterfall.MOST);
        assertThat(waterfall.bars()).extracting(Bar::number).isSorted().doesNotHaveDuplicates();
        assertThat(waterfall.bars()).extracting(Bar::ended).contains(1.0, 1_000.0);
    }

    private static Waterfall waterfall(Call... calls) {
        return Waterfall.of("trace", "nats", BEGUN, 10_000, List.of(calls));
    }

    private static Call call(int number, long sent, long ended, long begun, long answered) {
        return new Call(number, sent, ended, new ResponderWork("one", BEGUN + begun, BEGUN + answered));
    }
}
