package dev.chatterbox.nats;

import dev.chatterbox.responder.KeptResponder;
import dev.chatterbox.responder.SquareResponder;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The responder over NATS, whose requests come over core NATS or from streams. */
@Configuration(proxyBeanMethods = false)
public class NatsResponder {

    /** How long the stop waits for answers; shorter than spring.lifecycle.timeout-per-shutdown-phase. */
    private static final Duration DRAIN = Duration.ofSeconds(2);

    /**
     * @param properties as in {@link NatsAccess}
     * @param stream empty if requests come over core NATS, which does not store them
     */
    @Bean
    KeptResponder natsResponder(
            @Value("${nats.server}") String server,
            @Value("${nats.properties}") String properties,
            @Value("${nats.stream}") String stream,
            @Value("${nats.subject}") String subject,
            @Value("${nats.queue-group}") String queueGroup,
            @Value("${nats.stream-max-age}") Duration maxAge,
            @Value("${nats.stream-replicas}") int replicas,
            SquareResponder responder) {
        NatsAccess access = NatsAccess.of("nats", server, properties);
        NatsConnection.Setup<?> requests = stream.isEmpty()
                ? new ServiceRequests(subject, queueGroup, responder)
                : new StreamRequests(stream, subject, queueGroup, maxAge, replicas, responder);
        return new KeptResponder(
                access.broker(),
                server,
                () -> NatsConnection.open(
                        access, options -> options.connectionName(responder.name()), DRAIN, requests));
    }
}
