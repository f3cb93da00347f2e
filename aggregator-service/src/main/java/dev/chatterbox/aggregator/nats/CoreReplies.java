package dev.chatterbox.aggregator.nats;

import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import java.util.function.BiConsumer;

/** Replies over core NATS: each to a subject of its own, below an inbox. jnats subscribes anew by itself. */
final class CoreReplies implements ReplyInbox {

    private final BiConsumer<String, Message> replied;
    private volatile String prefix = "";

    /** @param replied takes correlation id and reply, on the inbox's dispatcher thread */
    CoreReplies(BiConsumer<String, Message> replied) {
        this.replied = replied;
    }

    @Override
    public void open(Connection connection) {
        String inbox = connection.createInbox() + ".";
        prefix = inbox;
        connection
                .createDispatcher(reply -> replied.accept(reply.getSubject().substring(inbox.length()), reply))
                .subscribe(inbox + "*");
    }

    @Override
    public boolean ready() {
        return true;
    }

    @Override
    public Headers address(String correlationId) {
        return new Headers().put(JetStreamMessages.REPLY_TO, prefix + correlationId);
    }

    @Override
    public void close() {}
}
