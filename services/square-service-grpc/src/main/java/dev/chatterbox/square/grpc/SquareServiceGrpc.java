package dev.chatterbox.square.grpc;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class SquareServiceGrpc {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceGrpc.class, args);
    }
}
