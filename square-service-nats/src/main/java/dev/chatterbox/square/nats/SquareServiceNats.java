package dev.chatterbox.square.nats;

import dev.chatterbox.square.common.SquareResponder;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class SquareServiceNats {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceNats.class, args);
    }

    /** @param stream empty where requests come over core NATS, and are not stored */
    @Bean
    RequestSource requests(
            @Value("${nats.stream}") String stream,
            @Value("${nats.subject}") String subject,
            @Value("${nats.queue-group}") String queueGroup,
            @Value("${nats.stream-max-age}") Duration maxAge,
            SquareResponder responder) {
        return stream.isEmpty()
                ? new ServiceRequests(subject, queueGroup, responder)
                : new StreamRequests(stream, subject, queueGroup, maxAge, responder);
    }
}
