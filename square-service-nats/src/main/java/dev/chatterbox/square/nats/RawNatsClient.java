package dev.chatterbox.square.nats;

import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.square.common.RawLimit;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;

/** Bare jnats: publish with an inbox of its own as the reply subject, one subscription. */
final class RawNatsClient {

    private RawNatsClient() {}

    public static void main(String[] arguments) throws Exception {
        RawLimit.main(arguments, RawNatsClient::connect);
    }

    private static RawLimit.Requester connect(RawLimit limit) throws Exception {
        Connection connection = Nats.connect(new Options.Builder()
                .server(System.getenv().getOrDefault("NATS_SERVER", Options.DEFAULT_URL))
                .maxMessagesInOutgoingQueue(2 * limit.inFlight() + 1_000)
                .build());
        String inbox = connection.createInbox();
        connection.createDispatcher(message -> replied(limit, message)).subscribe(inbox);
        return number -> connection.publish(
                "nats.square.service",
                inbox,
                Input.newBuilder().setNumber(number).build().toByteArray());
    }

    private static void replied(RawLimit limit, Message message) {
        try {
            Output output = Output.parseFrom(message.getData());
            limit.replied(output.getNumber(), output.getResult());
        } catch (Exception e) {
            limit.failed();
        }
    }
}
