package dev.chatterbox.square.nats;

import dev.chatterbox.square.common.Reply;
import dev.chatterbox.square.common.SquareResponder;
import io.nats.client.Connection;
import io.nats.service.ServiceBuilder;
import io.nats.service.ServiceEndpoint;
import io.nats.service.ServiceMessage;
import org.jspecify.annotations.Nullable;

/**
 * Requests over core NATS, to a subject, as a member of a queue group, by the NATS services convention, so that
 * {@code nats micro} lists, pings and measures this responder.
 */
final class ServiceRequests implements RequestSource {

    private final String subject;
    private final String queueGroup;
    private final SquareResponder responder;

    ServiceRequests(String subject, String queueGroup, SquareResponder responder) {
        this.subject = subject;
        this.queueGroup = queueGroup;
        this.responder = responder;
    }

    /** A description of this responder, by the convention. */
    static ServiceBuilder service(Connection connection, String name) {
        return new ServiceBuilder()
                .connection(connection)
                // The aggregator pings the service by the name of its queue group.
                .name(name)
                .version("1.0.0")
                .description("Squares a number");
    }

    @Override
    public void open(Connection connection) {
        service(connection, queueGroup)
                .addServiceEndpoint(ServiceEndpoint.builder()
                        .endpointName("square")
                        .endpointSubject(subject)
                        .endpointQueueGroup(queueGroup)
                        .handler(message -> answer(connection, message))
                        .build())
                .build()
                .startService();
    }

    /** Runs on the service's dispatcher thread, one request after the other. */
    private void answer(Connection connection, ServiceMessage message) {
        if (message.getReplyTo() == null) {
            responder.refuse("it names no subject to reply to", Reply.NOWHERE);
        } else {
            responder.answer(message.getData(), new NatsReply(connection, message.getReplyTo(), null, null, responder));
        }
    }

    @Override
    public @Nullable String problem() {
        return null;
    }

    @Override
    public void close() {}
}
