package dev.chatterbox.square.rsocket;

import dev.chatterbox.rsocket.RSocketResponder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

@SpringBootApplication
@Import(RSocketResponder.class)
public class SquareServiceRSocket {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceRSocket.class, args);
    }
}
