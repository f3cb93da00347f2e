package dev.chatterbox.square.rsocket;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class SquareServiceRSocket {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceRSocket.class, args);
    }
}
