package dev.chatterbox.square.pulsar;

import dev.chatterbox.pulsar.PulsarResponder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

@SpringBootApplication
@Import(PulsarResponder.class)
public class SquareServicePulsar {

    public static void main(String[] args) {
        SpringApplication.run(SquareServicePulsar.class, args);
    }
}
