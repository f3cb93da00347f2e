package dev.chatterbox.rabbitmq;

import dev.chatterbox.responder.KeptResponder;
import dev.chatterbox.responder.SquareResponder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The responder over RabbitMQ. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RabbitMqRequests.Settings.class)
public class RabbitMqResponder {

    @Bean
    KeptResponder rabbitMqResponder(
            @Value("${rabbitmq.uri}") String uri,
            @Value("${rabbitmq.queue}") String queue,
            RabbitMqRequests.Settings settings,
            SquareResponder responder) {
        RabbitMqServer server = new RabbitMqServer("rabbitmq.uri", uri);
        return new KeptResponder(
                server.toString(),
                server.address(),
                () -> server.connect(
                        responder.name(), connection -> RabbitMqRequests.open(connection, queue, settings, responder)));
    }
}
