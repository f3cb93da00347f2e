package dev.chatterbox.raw.nats;

import dev.chatterbox.nats.NatsAccess;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.raw.PipelinedCalls;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.util.Map;

/** Bare jnats: publish with an inbox of its own as the reply subject, one subscription. */
public final class RawNatsClient {

    private RawNatsClient() {}

    public static void main(String[] arguments) {
        PipelinedCalls.main(arguments, RawNatsClient::connect);
    }

    private static PipelinedCalls.Sender connect(PipelinedCalls calls) throws Exception {
        Connection connection = connection(calls);
        String subject = calls.address("subject");
        String inbox = connection.createInbox();
        connection.createDispatcher(message -> replied(calls, message)).subscribe(inbox);
        return number -> connection.publish(
                subject, inbox, Input.newBuilder().setNumber(number).build().toByteArray());
    }

    static Connection connection(PipelinedCalls calls) throws Exception {
        Map<String, String> environment = System.getenv();
        NatsAccess access = NatsAccess.of(
                "nats",
                environment.getOrDefault("NATS_SERVER", Options.DEFAULT_URL),
                environment.getOrDefault("NATS_PROPERTIES", ""));
        return Nats.connect(access.options()
                .maxMessagesInOutgoingQueue(2 * calls.mostInFlight() + 1_000)
                .build());
    }

    static void replied(PipelinedCalls calls, Message message) {
        try {
            Output output = Output.parseFrom(message.getData());
            calls.replied(output.getNumber(), output.getResult());
        } catch (Exception e) {
            calls.failed();
        }
    }
}
