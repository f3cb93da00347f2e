package dev.chatterbox.square.common;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/**
 * The program of every square service in Java. Its module names the class of its responder, as Spring Boot finds
 * automatic configurations.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class SquareService {

    public static void main(String[] args) {
        SpringApplication.run(SquareService.class, args);
    }
}
