package dev.chatterbox.square.artemis;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class SquareServiceArtemis {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceArtemis.class, args);
    }
}
