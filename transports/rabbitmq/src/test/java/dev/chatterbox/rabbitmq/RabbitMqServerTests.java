package dev.chatterbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RabbitMqServerTests {

    @Test
    void isShownWithoutItsPassword() {
        RabbitMqServer server = new RabbitMqServer("client.uri", "amqp://user:secret@somewhere:5673/%2f");

        assertThat(server).hasToString("the RabbitMQ server at somewhere:5673");
        assertThat(server.address()).isEqualTo("somewhere:5673");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"amqp://user:se cret@localhost", "http://user:secret@localhost", "amqp://u:secret@host/a/b"})
    void namesTheSettingAndNotTheUriWhereThatIsNone(String uri) {
        assertThatThrownBy(() -> new RabbitMqServer("client.uri", uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("client.uri must be amqp://HOST:PORT")
                .hasNoCause();
    }
}
