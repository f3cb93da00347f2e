package dev.chatterbox.square.common;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import reactor.netty.ReactorNetty;

/**
 * The program of every square service in Java. Its module names the class of its responder, as Spring Boot finds
 * automatic configurations.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class SquareService {

    public static void main(String[] args) {
        // One event loop for each processor: Reactor Netty would start at least four, which then take turns.
        int processors = Runtime.getRuntime().availableProcessors();
        System.getProperties().putIfAbsent(ReactorNetty.IO_WORKER_COUNT, Integer.toString(processors));
        SpringApplication.run(SquareService.class, args);
    }
}
