package dev.chatterbox.square.rabbitmq;

import dev.chatterbox.rabbitmq.RabbitMqServer;
import dev.chatterbox.square.common.KeptResponder;
import dev.chatterbox.square.common.SquareResponder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
@EnableConfigurationProperties(RabbitMqRequests.Settings.class)
public class SquareServiceRabbitMq {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceRabbitMq.class, args);
    }

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
                        responder.name(), connection -> new RabbitMqRequests(connection, queue, settings, responder)));
    }
}
