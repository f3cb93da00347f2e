package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ArrivalsTests {

    private static final long MS = 1_000_000;

    /** As {@link System#nanoTime} may be: about to overflow. */
    private static final long T0 = Long.MAX_VALUE - 100 * MS;

    @Test
    void spacesUsersEvenly() {
        Arrivals arrivals = new Arrivals(100, 2);

        long[] intended = LongStream.range(0, 200)
                .map(user -> arrivals.next(T0 + user * 10 * MS) - T0)
                .toArray();

        assertThat(intended)
                .isEqualTo(LongStream.range(0, 200).map(user -> user * 10 * MS).toArray());
    }

    @Test
    void countsTheWaitOfAUserThatStartsLate() {
        Arrivals arrivals = new Arrivals(100, 2);
        arrivals.next(T0);
        arrivals.next(T0 + 10 * MS);

        assertThat(arrivals.next(T0 + 520 * MS) - T0).as("meant for 20 ms").isEqualTo(20 * MS);
        assertThat(arrivals.next(T0 + 520 * MS) - T0).as("meant for 30 ms").isEqualTo(30 * MS);
    }

    @Test
    void measuresAUserThatIsEarlyByGatlingsRoundingFromItsStart() {
        Arrivals arrivals = new Arrivals(100, 2);
        arrivals.next(T0);

        assertThat(arrivals.next(T0 + 10 * MS - MS / 2) - T0).isEqualTo(10 * MS - MS / 2);
        assertThat(arrivals.next(T0 + 20 * MS) - T0).as("the origin stays").isEqualTo(20 * MS);
    }

    @Test
    void correctsAnOriginThatWasTakenFromALateFirstUser() {
        Arrivals arrivals = new Arrivals(100, 2);
        arrivals.next(T0 + 50 * MS);
        arrivals.next(T0 + 50 * MS); // meant for 10 ms
        arrivals.next(T0 + 50 * MS); // meant for 20 ms
        assertThat(arrivals.next(T0 + 30 * MS) - T0).isEqualTo(30 * MS);

        assertThat(arrivals.next(T0 + 240 * MS) - T0).as("meant for 40 ms").isBetween(40 * MS, 41 * MS);
    }

    @Test
    void followsGatlingsRoundingOfABrokenRate() {
        Arrivals arrivals = new Arrivals(2.5, 2);

        arrivals.next(T0);
        long[] late = LongStream.range(1, 5)
                .map(user -> (arrivals.next(T0 + 10_000 * MS) - T0) / MS)
                .toArray();

        assertThat(arrivals.users()).isEqualTo(5);
        assertThat(late).containsExactly(333, 666, 1000, 1500);
    }
}
