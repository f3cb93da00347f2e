package dev.chatterbox.queue;

/** Takes what the broker answers to published messages, on the library's threads; neither blocks nor throws. */
@FunctionalInterface
public interface QueueListener {

    /** The listener of a program that publishes nothing. */
    QueueListener NONE = (number, answer) -> {};

    /** What the broker says of a message. */
    enum Answer {
        /** It has the message. */
        ACKNOWLEDGED,
        /** It does not take the message. */
        REFUSED,
        /** It is not known whether it has the message. */
        UNKNOWN
    }

    /** @param number of the message */
    void answered(int number, Answer answer);
}
