package dev.chatterbox.square.nats;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class SquareServiceNats {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceNats.class, args);
    }
}
