package dev.chatterbox.artemis;

import dev.chatterbox.responder.KeptResponder;
import dev.chatterbox.responder.SquareResponder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The responder over Artemis. */
@Configuration(proxyBeanMethods = false)
public class ArtemisResponder {

    @Bean
    KeptResponder artemisResponder(
            @Value("${artemis.url}") String url, @Value("${artemis.queue}") String queue, SquareResponder responder) {
        String broker = ArtemisConnection.addresses(url);
        return new KeptResponder(
                "the Artemis broker at " + broker, broker, () -> ArtemisRequests.open(url, queue, responder));
    }
}
