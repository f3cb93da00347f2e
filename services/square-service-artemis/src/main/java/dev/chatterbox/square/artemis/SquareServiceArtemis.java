package dev.chatterbox.square.artemis;

import dev.chatterbox.artemis.ArtemisQueue;
import dev.chatterbox.queue.QueueSide;
import dev.chatterbox.square.common.KeptResponder;
import dev.chatterbox.square.common.QueueResponder;
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
        return new KeptResponder("the Artemis broker at " + url, url, () -> new ArtemisRequests(url, queue, responder));
    }

    /** The parameters are those of {@link #artemisResponder}. */
    @Bean
    QueueResponder artemisQueue(
            @Value("${artemis.url}") String url, @Value("${artemis.queue}") String queue, SquareResponder responder) {
        return new QueueResponder(
                "the Artemis broker at " + url,
                listener -> new ArtemisQueue(url, QueueSide.RESPONDER, queue, false, listener),
                responder);
    }
}
