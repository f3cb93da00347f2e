package dev.chatterbox.aggregator.client;

import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;

/** A client whose transport also carries one-way messages: the exchange {@code queue}. */
public interface SquareQueueClient extends SquareClient {

    /** Opens a connection for the publishing side, which calls do not use. May wait for the broker, for some seconds. */
    QueueConnection openQueue(QueueListener listener) throws Exception;

    /** Identifies the queue among all rows of this aggregator: two rows with the same responder have the same one. */
    String queue();
}
