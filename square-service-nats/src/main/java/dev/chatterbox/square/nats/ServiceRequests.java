package dev.chatterbox.square.nats;

import dev.chatterbox.nats.NatsConnection;
import dev.chatterbox.square.common.Reply;
import dev.chatterbox.square.common.SquareResponder;
import io.nats.client.Connection;
import io.nats.service.Service;
import io.nats.service.ServiceBuilder;
import io.nats.service.ServiceEndpoint;
import io.nats.service.ServiceMessage;
import io.nats.service.ServiceMessageHandler;
import org.jspecify.annotations.Nullable;

/**
 * Requests over core NATS, to a subject, and batches to that subject and {@code .batch}, as a member of a queue group, by
 * the NATS services convention, so that {@code nats micro} lists, pings and measures this responder.
 */
record ServiceRequests(String subject, String queueGroup, SquareResponder responder)
        implements NatsConnection.Setup<Service> {

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
    public Service make(Connection connection) {
        Service service = service(connection, queueGroup)
                .addServiceEndpoint(endpoint("square", subject, message -> answer(connection, message)))
                .addServiceEndpoint(endpoint("batch", subject + ".batch", message -> answerBatch(connection, message)))
                .build();
        service.startService();
        return service;
    }

    private ServiceEndpoint endpoint(String name, String of, ServiceMessageHandler handler) {
        return ServiceEndpoint.builder()
                .endpointName(name)
                .endpointSubject(of)
                .endpointQueueGroup(queueGroup)
                .handler(handler)
                .build();
    }

    /** Runs on the service's dispatcher thread, as the next does, one request after the other. */
    private void answer(Connection connection, ServiceMessage message) {
        NatsReply reply = reply(connection, message);
        if (reply != null) {
            responder.answer(message.getData(), reply);
        }
    }

    private void answerBatch(Connection connection, ServiceMessage message) {
        NatsReply reply = reply(connection, message);
        if (reply != null) {
            responder.answerBatch(message.getData(), reply);
        }
    }

    private @Nullable NatsReply reply(Connection connection, ServiceMessage message) {
        if (message.getReplyTo() == null) {
            responder.refuse("it names no subject to reply to", Reply.NOWHERE);
            return null;
        }
        return new NatsReply(connection, message.getReplyTo(), null, null, responder);
    }
}
