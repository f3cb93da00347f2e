package dev.chatterbox.pulsar;

import dev.chatterbox.responder.KeptResponder;
import dev.chatterbox.responder.SquareResponder;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The responder over Pulsar. */
@Configuration(proxyBeanMethods = false)
public class PulsarResponder {

    @Bean
    KeptResponder pulsarResponder(
            @Value("${pulsar.url}") String url,
            @Value("${pulsar.topic}") String topic,
            @Value("${pulsar.subscription}") String subscription,
            @Value("${pulsar.batching}") Duration batching,
            SquareResponder responder) {
        return new KeptResponder(
                Pulsar.broker(url), url, () -> PulsarRequests.open(url, topic, subscription, batching, responder));
    }
}
