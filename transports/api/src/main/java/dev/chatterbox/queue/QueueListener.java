package dev.chatterbox.queue;

/** Takes what the broker answers to published messages, on the library's threads; no method blocks or throws. */
public interface QueueListener {

    /** The listener of a program that publishes nothing. */
    QueueListener NONE = new QueueListener() {
        @Override
        public void acknowledged(int number) {}

        @Override
        public void refused(int number) {}

        @Override
        public void unknown(int number) {}
    };

    /** The broker has the message with this number. */
    void acknowledged(int number);

    /** The broker does not take the message with this number. */
    void refused(int number);

    /** It is not known whether the broker has the message with this number. */
    void unknown(int number);
}
