package dev.chatterbox.queue;

/** What comes over a {@link QueueConnection}, on the library's threads; none of the methods blocks or throws. */
@FunctionalInterface
public interface QueueListener {

    /** The other side has told this. */
    void told(byte[] message);

    /** The broker has the message with this number. */
    default void acknowledged(int number) {}

    /** The broker does not take the message with this number. */
    default void refused(int number) {}

    /** It is not known whether the broker has the message with this number. */
    default void unknown(int number) {}
}
