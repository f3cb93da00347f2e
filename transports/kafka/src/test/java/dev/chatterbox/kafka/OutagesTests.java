package dev.chatterbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.connection.RefusedException;
import java.io.IOException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class OutagesTests {

    private final Outages outages = new Outages("h:1", "client");

    @Test
    void tellsWhichSettingIsWrong() {
        ConfigException setting = new ConfigException("No resolvable bootstrap urls given in bootstrap.servers");
        IOException outage = outages.outage(new KafkaException("Failed to construct kafka producer", setting));
        assertThat(outage)
                .isInstanceOf(RefusedException.class)
                .hasMessage("the Kafka client failed: " + setting.getMessage())
                .hasRootCause(setting);
    }

    @Test
    void saysNothingOfOtherCauses() {
        KafkaException error = new KafkaException("x", new IllegalArgumentException("a part of a password"));
        assertThat(outages.outage(error)).hasMessage("no answer");
        assertThat(outages.outage(new TimeoutException("after 3000 ms"))).hasMessage("no answer");
    }
}
