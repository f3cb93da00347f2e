package dev.chatterbox.aggregator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PublishedTests {

    @Test
    void onlyAnAnswerOfTheBrokerIsProgress() {
        Published published = new Published(2, true, 1);
        long begin = published.answeredAt();

        published.publishing(1, System.nanoTime());
        published.giveUp(System.nanoTime());
        assertThat(published.unknown()).isOne();
        assertThat(published.answeredAt()).isEqualTo(begin);

        published.publishing(2, System.nanoTime());
        published.acknowledged(2);
        assertThat(published.answeredAt()).isGreaterThan(begin);
        assertThat(published.isSettled()).isTrue();
    }
}
