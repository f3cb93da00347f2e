package dev.chatterbox.clients;

import dev.chatterbox.nats.NatsAccess;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.util.Map;

/** Bare jnats: requests have reply subjects under an inbox of its own, with one subscription. */
public final class RawNatsClient {

    private RawNatsClient() {}

    public static void main(String[] arguments) {
        new PipelinedCalls(arguments, RawNatsClient::connect).run();
    }

    private static PipelinedCalls.Sender connect(PipelinedCalls calls) throws Exception {
        Connection connection = connection();
        String subject = calls.address("subject");
        String inbox = connection.createInbox() + ".";
        connection.createDispatcher(reply -> replied(calls, reply, inbox)).subscribe(inbox + "*");
        return id -> connection.publish(subject, inbox + id, calls.input(id).toByteArray());
    }

    private static Connection connection() throws Exception {
        Map<String, String> environment = System.getenv();
        NatsAccess access = NatsAccess.of(
                "nats",
                environment.getOrDefault("NATS_SERVER", Options.DEFAULT_URL),
                environment.getOrDefault("NATS_PROPERTIES", ""));
        return Nats.connect(access.options()
                .maxMessagesInOutgoingQueue(2 * PipelinedCalls.MOST_IN_FLIGHT + 1_000)
                .build());
    }

    /** Each call has a reply subject of its own: the inbox and the id. */
    private static void replied(PipelinedCalls calls, Message reply, String inbox) {
        String subject = reply.getSubject();
        long id = Long.parseLong(subject, inbox.length(), subject.length(), 10);
        if (reply.isStatusMessage()) {
            calls.unsent(id, new IllegalStateException("nobody listens: " + reply.getStatus()));
        } else {
            calls.replied(id, reply.getData());
        }
    }
}
