package dev.chatterbox.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MessageLimitTests {

    @Test
    void ofABodyIsThatOfItsMessageLessTheFrameAndAtLeastOneByte() {
        assertThat(new MessageLimit(1_000, "the most").less(24)).isEqualTo(new MessageLimit(976, "the most less 24"));
        assertThat(new MessageLimit(1_000, "the most").less(1_024).bytes()).isEqualTo(1);
    }
}
