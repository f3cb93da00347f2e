package dev.chatterbox.raw;

import dev.chatterbox.nats.JetStreams;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import java.io.IOException;

/**
 * Bare jnats: requests go to the stream on file. Their reply subject is an inbox for acknowledgements; a header names
 * the inbox for replies.
 */
public final class RawJetStreamClient {

    private RawJetStreamClient() {}

    public static void main(String[] arguments) {
        PipelinedCalls.main(arguments, RawJetStreamClient::connect);
    }

    private static PipelinedCalls.Sender connect(PipelinedCalls calls) throws Exception {
        // With 16,384, the stream was full at times, with 200,000 requests: then it refuses new ones.
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

    /** A request that was not stored gets no reply. */
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
