package dev.chatterbox.aggregator.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.chatterbox.proto.QueueReport;
import dev.chatterbox.queue.Spread;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BacklogTests {

    private static final int N = 4_000;

    private final Published published = new Published(N, true, N);
    private final Received received = new Received(1);
    private final Backlog backlog =
            new Backlog(published, received, new QueueRequest(N, 250, 1, 256, 0, 10, Spread.NONE, true), 0);
    private int count;

    private void publish(int messages) {
        for (int i = 0; i < messages; i++) {
            published.publishing(++count, System.nanoTime());
            published.acknowledged(count);
        }
    }

    private void receive(int all) {
        received.take(QueueReport.newBuilder()
                .setInstance(1)
                .setSequence(all)
                .setReceived(all)
                .build());
    }

    private boolean heldAfter(int seconds) {
        long now = TimeUnit.SECONDS.toNanos(seconds);
        backlog.look(now);
        return backlog.isHeld(now);
    }

    @Test
    void isHeldThenDrainsAndIsDrained() {
        assertThat(heldAfter(0)).isTrue();
        publish(3_000);
        assertThat(heldAfter(9)).isTrue();
        assertThat(heldAfter(10)).isFalse();
        publish(500);
        receive(2_000);
        heldAfter(12);
        receive(2_500);
        heldAfter(13);
        publish(500);
        receive(4_000);

        Backlog.Result result = backlog.result(TimeUnit.SECONDS.toNanos(15));

        assertThat(result.phases())
                .extracting(
                        Backlog.Phase::name, Backlog.Phase::seconds, Backlog.Phase::published, Backlog.Phase::waiting)
                .containsExactly(
                        tuple("held", 10.0, 3_000, 3_000L),
                        tuple("draining", 3.0, 500, 1_000L),
                        tuple("drained", 2.0, 500, 0L));
        assertThat(result.phases())
                .allSatisfy(phase -> assertThat(phase.acknowledge()).isNotNull());
        assertThat(result.samples().get(1).published()).isEqualTo(3_000);
    }

    @Test
    void aMessageThatComesAgainIsNoDifferentOne() {
        received.take(QueueReport.newBuilder()
                .setInstance(1)
                .setSequence(1)
                .setReceived(100)
                .setDoubled(30)
                .build());

        assertThat(received.messages()).isEqualTo(100);
        assertThat(received.distinct()).isEqualTo(70);
    }

    @Test
    void endsInThePhaseInWhichTheRunEnds() {
        publish(N);
        heldAfter(10);
        receive(1_000);

        assertThat(backlog.result(TimeUnit.SECONDS.toNanos(20)).phases())
                .extracting(Backlog.Phase::name)
                .containsExactly("held", "draining");
    }
}
