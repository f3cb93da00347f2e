package dev.chatterbox.square.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.proto.QueueMessage;
import dev.chatterbox.proto.QueueReport;
import dev.chatterbox.proto.QueueRun;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class ConsumedRunTests {

    private static QueueReport report(int topics, int group, int... numbers) {
        QueueRun of = QueueRun.newBuilder()
                .setRun(7)
                .setN(10)
                .setTopics(topics)
                .setGroups(3)
                .build();
        ConsumedRun run = new ConsumedRun(
                of, group, new SquareResponder("test", Faults.NONE, new SimpleMeterRegistry()), due -> {});
        for (int number : numbers) {
            run.take(QueueMessage.newBuilder()
                    .setRun(7)
                    .setNumber(number)
                    .build()
                    .toByteArray());
        }
        return run.announcement();
    }

    @Test
    void aMessageIsOutOfOrderIfItComesForTheFirstTimeAfterAHigherNumber() {
        QueueReport report = report(1, 0, 1, 2, 3, 2, 5, 4);

        assertThat(report.getReceived()).isEqualTo(6);
        assertThat(report.getDoubled()).isEqualTo(1);
        assertThat(report.getOutOfOrder()).isEqualTo(1);
        assertThat(report.getSum()).isEqualTo(1 + 4 + 9 + 25 + 16);
    }

    @Test
    void eachTopicHasAnOrderOfItsOwn() {
        assertThat(report(2, 0, 1, 3, 5, 2, 4).getOutOfOrder()).isZero();
        assertThat(report(2, 0, 3, 1, 4, 2).getOutOfOrder()).isEqualTo(2);
    }

    @Test
    void namesItsGroup() {
        assertThat(report(1, 2, 1).getGroup()).isEqualTo(2);
    }
}
