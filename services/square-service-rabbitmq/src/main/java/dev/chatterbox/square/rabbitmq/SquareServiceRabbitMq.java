package dev.chatterbox.square.rabbitmq;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class SquareServiceRabbitMq {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceRabbitMq.class, args);
    }
}
