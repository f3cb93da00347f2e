package dev.chatterbox.raw;

import dev.chatterbox.nats.JetStreams;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import java.io.IOException;

/**
 * Bare jnats: requests to the stream on file, with an inbox for acknowledgements as the reply subject and one for
 * replies in a header.
 */
public final class RawJetStreamClient {

    private RawJetStreamClient() {}

    public static void main(String[] arguments) {
        PipelinedCalls.main(arguments, RawJetStreamClient::connect);
    }

    private static PipelinedCalls.Sender connect(PipelinedCalls calls) throws Exception {
        // With 16,384 the stream was full of 200,000 requests at times: it then refuses what comes.
        calls.carriesAtMost(4096);
        Connection connection = RawNatsClient.connection();
        String subject = calls.address("subject") + ".file";
        String acks = connection.createInbox() + ".";
        String replies = connection.createInbox() + ".";
        connection.createDispatcher(ack -> acknowledged(calls, ack, acks)).subscribe(acks + "*");
        connection
                .createDispatcher(reply -> RawNatsClient.replied(calls, reply, replies))
                .subscribe(replies + "*");
        return id -> connection.publish(
                subject,
                acks + id,
                new Headers().put(JetStreams.REPLY_TO, replies + id),
                PipelinedCalls.input(id).toByteArray());
    }

    /** One that was not stored has no reply. */
    private static void acknowledged(PipelinedCalls calls, Message ack, String acks) {
        try {
            if (ack.isStatusMessage()) {
                throw new IOException("no stream takes the subject");
            }
            JetStreams.requireStored(ack);
        } catch (IOException | JetStreamApiException e) {
            calls.unsent(RawNatsClient.id(ack, acks), e);
        }
    }
}
