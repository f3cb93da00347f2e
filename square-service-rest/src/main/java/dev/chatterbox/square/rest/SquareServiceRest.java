package dev.chatterbox.square.rest;

import dev.chatterbox.rest.H2cServer;
import dev.chatterbox.rest.SquareRoutes;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

@SpringBootApplication
@Import({SquareRoutes.class, H2cServer.class})
public class SquareServiceRest {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceRest.class, args);
    }
}
