package dev.chatterbox.square.grpc;

import dev.chatterbox.grpc.GrpcResponder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

@SpringBootApplication
@Import(GrpcResponder.class)
public class SquareServiceGrpc {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceGrpc.class, args);
    }
}
