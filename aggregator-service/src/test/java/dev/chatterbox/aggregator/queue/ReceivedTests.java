package dev.chatterbox.aggregator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.chatterbox.proto.QueueReport;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReceivedTests {

    private final Received received = new Received(2);

    private void report(long instance, int group, int... numbers) {
        BitSet set = new BitSet();
        Arrays.stream(numbers).forEach(set::set);
        received.take(QueueReport.newBuilder()
                .setInstance(instance)
                .setGroup(group)
                .setSequence(1)
                .setReceived(numbers.length)
                .setSum(IntStream.of(numbers)
                        .mapToLong(number -> (long) number * number)
                        .sum())
                .setOutOfOrder(1)
                .setParts(1)
                .setNumbers(ByteString.copyFrom(set.toByteArray()))
                .build());
    }

    @Test
    void aNumberCountsOnceInEachGroup() {
        report(1, 0, 1, 2);
        report(2, 0, 2, 3);
        report(3, 1, 1, 2, 3);

        assertThat(received.numbers()).extracting(BitSet::cardinality).containsExactly(3, 3);
        assertThat(received.sum()).isEqualTo(2 * (1 + 4 + 9));
        assertThat(received.messages()).isEqualTo(7);
        assertThat(received.fewest()).as("of the second group").isEqualTo(3);
        assertThat(received.outOfOrder()).isEqualTo(3);
    }

    /** A responder of another build may know no groups, or more than the run has. */
    @Test
    void aGroupThatTheRunHasNotIsItsLast() {
        report(1, 7, 1);

        assertThat(received.numbers()).extracting(BitSet::cardinality).containsExactly(0, 1);
    }
}
