package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RehearsalTests {

    private final Rehearsal rehearsal = new Rehearsal();

    @Test
    void isOverWhenTheCompilersOfAllVariantsAreQuietInTheLastBlocks() {
        block(0.01, 0.3);
        block(0.01, 0.07);
        block(0.01, 0.04);
        assertThat(rehearsal.isOver()).as("5.5 %% over nats in the last two").isFalse();

        block(0.01, 0.04);

        assertThat(rehearsal.isOver()).isTrue();
        assertThat(rehearsal).hasToString("rest 1.0 %, nats 4.0 %");
    }

    @Test
    void needsTwoBlocksBesideTheFirst() {
        block(0, 0);
        block(0, 0);
        assertThat(rehearsal.isOver()).isFalse();
        block(0, 0);
        assertThat(rehearsal.isOver()).isTrue();
    }

    @Test
    void cannotTellWhereTheSystemDoesNotShowCompilers() {
        rehearsal.begin();
        rehearsal.begin();
        rehearsal.begin();

        assertThat(rehearsal.isOver()).isTrue();
    }

    private void block(double rest, double nats) {
        rehearsal.begin();
        rehearsal.add("rest", rest);
        rehearsal.add("nats", nats);
    }
}
