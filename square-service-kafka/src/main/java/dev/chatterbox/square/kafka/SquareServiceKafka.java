package dev.chatterbox.square.kafka;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class SquareServiceKafka {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceKafka.class, args);
    }
}
