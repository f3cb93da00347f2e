package dev.chatterbox.square.pulsar;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class SquareServicePulsar {

    public static void main(String[] args) {
        SpringApplication.run(SquareServicePulsar.class, args);
    }
}
