package dev.chatterbox.square.rest;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import reactor.netty.ReactorNetty;

@SpringBootApplication
public class SquareServiceRest {

    public static void main(String[] args) {
        if (System.getProperty(ReactorNetty.IO_WORKER_COUNT) == null) {
            // One event loop for each processor: Reactor Netty would start at least four, which then take turns.
            System.setProperty(
                    ReactorNetty.IO_WORKER_COUNT,
                    Integer.toString(Runtime.getRuntime().availableProcessors()));
        }
        SpringApplication.run(SquareServiceRest.class, args);
    }
}
