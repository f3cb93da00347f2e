package dev.chatterbox.nats;

import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.traces.WorkSpan;
import io.nats.client.Connection;
import io.nats.service.Service;
import io.nats.service.ServiceBuilder;
import io.nats.service.ServiceEndpoint;
import java.util.function.BiConsumer;

/**
 * Requests over core NATS to a subject, and batches to the subject with {@code .batch}. The responder is a member of a
 * queue group. It follows the NATS services convention, so that {@code nats micro} lists, pings and measures it.
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
                .addServiceEndpoint(endpoint(connection, "square", subject, responder::answer))
                .addServiceEndpoint(endpoint(connection, "batch", subject + ".batch", responder::answerBatch))
                .build();
        service.startService();
        return service;
    }

    /** @param answer runs on the service's dispatcher thread, one request after the other */
    private ServiceEndpoint endpoint(
            Connection connection, String name, String of, BiConsumer<byte[], NatsReply> answer) {
        return ServiceEndpoint.builder()
                .endpointName(name)
                .endpointSubject(of)
                .endpointQueueGroup(queueGroup)
                .handler(request -> {
                    String replyTo = request.getReplyTo();
                    if (replyTo == null) {
                        responder.refuse("it names no subject to reply to", Reply.NOWHERE);
                    } else {
                        WorkSpan span = responder.trace(NatsReply.header(request.getHeaders(), Traces.PARENT));
                        answer.accept(
                                request.getData(), new NatsReply(connection, replyTo, null, null, span, responder));
                    }
                })
                .build();
    }
}
