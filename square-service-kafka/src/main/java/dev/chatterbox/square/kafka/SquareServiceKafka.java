package dev.chatterbox.square.kafka;

import dev.chatterbox.kafka.KafkaResponder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

@SpringBootApplication
@Import(KafkaResponder.class)
public class SquareServiceKafka {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceKafka.class, args);
    }
}
