package dev.chatterbox.square.rest;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class SquareServiceRest {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceRest.class, args);
    }
}
