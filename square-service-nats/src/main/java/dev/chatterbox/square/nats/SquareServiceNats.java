package dev.chatterbox.square.nats;

import dev.chatterbox.nats.NatsResponder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

@SpringBootApplication
@Import(NatsResponder.class)
public class SquareServiceNats {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceNats.class, args);
    }
}
