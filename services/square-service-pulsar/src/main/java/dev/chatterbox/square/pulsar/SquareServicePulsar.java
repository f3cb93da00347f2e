package dev.chatterbox.square.pulsar;

import dev.chatterbox.pulsar.Pulsar;
import dev.chatterbox.square.common.KeptResponder;
import dev.chatterbox.square.common.SquareResponder;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class SquareServicePulsar {

    public static void main(String[] args) {
        SpringApplication.run(SquareServicePulsar.class, args);
    }

    @Bean
    KeptResponder pulsarResponder(
            @Value("${pulsar.url}") String url,
            @Value("${pulsar.topic}") String topic,
            @Value("${pulsar.subscription}") String subscription,
            @Value("${pulsar.batching}") Duration batching,
            SquareResponder responder) {
        return new KeptResponder(
                Pulsar.broker(url), url, () -> new PulsarRequests(url, topic, subscription, batching, responder));
    }
}
