package dev.chatterbox.square.rabbitmq;

import dev.chatterbox.rabbitmq.RabbitMqResponder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

@SpringBootApplication
@Import(RabbitMqResponder.class)
public class SquareServiceRabbitMq {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceRabbitMq.class, args);
    }
}
