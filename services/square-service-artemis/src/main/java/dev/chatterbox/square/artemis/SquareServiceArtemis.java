package dev.chatterbox.square.artemis;

import dev.chatterbox.artemis.ArtemisConnection;
import dev.chatterbox.square.common.KeptResponder;
import dev.chatterbox.square.common.SquareResponder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class SquareServiceArtemis {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceArtemis.class, args);
    }

    @Bean
    KeptResponder artemisResponder(
            @Value("${artemis.url}") String url, @Value("${artemis.queue}") String queue, SquareResponder responder) {
        String broker = ArtemisConnection.addresses(url);
        return new KeptResponder(
                "the Artemis broker at " + broker, broker, () -> new ArtemisRequests(url, queue, responder));
    }
}
